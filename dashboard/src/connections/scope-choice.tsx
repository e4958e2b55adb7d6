/** Check boxes of the scopes; all are selected by default. */
import { Checkbox, Stack } from '@mantine/core';

interface ScopeChoiceProps {
  label: string;
  scopes: readonly { name: string; label: string }[];
  value: readonly string[];
  onChange: (names: string[]) => void;
  error: string | undefined;
}

export const ScopeChoice = ({ label, scopes, value, onChange, error }: ScopeChoiceProps) => (
  <Checkbox.Group label={label} value={[...value]} onChange={onChange} error={error}>
    <Stack gap="xs" mt="xs">
      {scopes.map(({ name, label: words }) => (
        <Checkbox key={name} value={name} label={words} />
      ))}
    </Stack>
  </Checkbox.Group>
);
