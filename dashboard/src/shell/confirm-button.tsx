/**
 * A button for an action that cannot be undone or that affects other people. A click opens a dialog that explains the
 * effect and asks for confirmation.
 */
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Problem } from '../problem/problem.tsx';
import { common } from '../text/common-texts.ts';
import type { TextValues } from '../text/define-texts.ts';

interface ConfirmButtonProps {
  /** Text of the button that opens the dialog. */
  label: string;
  /** Accessible name of the button, for lists in which the label does not say to which item the button belongs. */
  name?: string;
  title: string;
  text: ReactNode;
  /** Text of the button in the dialog that runs the action. */
  action: string;
  isDangerous?: boolean;
  /** Runs the action. If it succeeds, the dialog closes; if it is refused, the dialog shows the error. */
  onConfirm: () => Promise<unknown>;
}

type ConfirmKey<K extends string> = K | `${K}.${'name' | 'title' | 'text' | 'action'}`;

/** Returns the texts of a button in a list: those of `key`, `key.name`, `key.title`, `key.text` and `key.action`. */
export const confirmTexts = <K extends string>(
  say: (key: ConfirmKey<K>, values?: TextValues) => string,
  key: K,
  name: string,
): Pick<ConfirmButtonProps, 'label' | 'name' | 'title' | 'text' | 'action'> => ({
  label: say(key),
  name: say(`${key}.name`, { name }),
  title: say(`${key}.title`, { name }),
  text: say(`${key}.text`),
  action: say(`${key}.action`),
});

export const ConfirmButton = (props: ConfirmButtonProps) => {
  const { label, name, title, text, action, isDangerous = false, onConfirm } = props;
  const say = common.useTexts();
  const [isOpen, setOpen] = useState(false);
  const [isDoing, setDoing] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const color = isDangerous ? { color: 'red' } : {};
  const close = (): void => {
    setOpen(false);
    setError(null);
  };
  const confirm = async (): Promise<void> => {
    setDoing(true);
    setError(null);
    try {
      await onConfirm();
      close();
    } catch (problem) {
      setError(problem);
    } finally {
      setDoing(false);
    }
  };
  return (
    <>
      <Button size="xs" variant="outline" {...color} aria-label={name} onClick={() => setOpen(true)}>
        {label}
      </Button>
      <Modal opened={isOpen} onClose={close} title={title} closeButtonProps={{ 'aria-label': say('action.close') }}>
        <Stack>
          <Text size="sm">{text}</Text>
          {error !== null && <Problem error={error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {say('action.cancel')}
            </Button>
            <Button {...color} loading={isDoing} onClick={() => void confirm()}>
              {action}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
};
