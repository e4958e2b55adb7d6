/**
 * Mantine components for react-jsonschema-form. It has only the components that the sources' schemas need, so that the
 * page's code stays small.
 */
import { Checkbox, NativeSelect, PasswordInput, Stack, TagsInput, TextInput } from '@mantine/core';
import type { ThemeProps } from '@rjsf/core';
import type { FieldTemplateProps, ObjectFieldTemplateProps, WidgetProps } from '@rjsf/utils';

const FieldTemplate = ({ hidden, children }: FieldTemplateProps) => (hidden ? null : children);

const ObjectFieldTemplate = ({ properties }: ObjectFieldTemplateProps) => (
  <Stack gap="sm">
    {properties.map(({ name, content }) => (
      <div key={name}>{content}</div>
    ))}
  </Stack>
);

const Nothing = () => null;

/** Returns the properties that all inputs have, from the schema, the texts and the findings. */
const shared = ({ id, label, required, disabled, readonly, rawErrors, options }: WidgetProps) => ({
  id,
  label,
  withAsterisk: required,
  disabled: Boolean(disabled || readonly),
  error: rawErrors?.length ? [...new Set(rawErrors)].join('; ') : undefined,
  description: options.help,
});

/** Returns undefined for an emptied field, because the schemas allow no empty strings. */
const text = (value: string): string | undefined => (value === '' ? undefined : value);

const TextWidget = (props: WidgetProps) => (
  <TextInput
    {...shared(props)}
    value={props.value ?? ''}
    placeholder={props.placeholder}
    // The browser must not offer the password for this site, because the field is for the institution's password.
    autoComplete="off"
    onChange={({ currentTarget }) => props.onChange(text(currentTarget.value))}
    onBlur={() => props.onBlur(props.id, props.value)}
  />
);

const timeWidget = (type: 'month' | 'date') => (props: WidgetProps) => (
  <TextInput
    {...shared(props)}
    type={type}
    value={props.value ?? ''}
    onChange={({ currentTarget }) => props.onChange(text(currentTarget.value))}
  />
);
const MonthWidget = timeWidget('month');
const DayWidget = timeWidget('date');

const PasswordWidget = (props: WidgetProps) => (
  <PasswordInput
    {...shared(props)}
    value={props.value ?? ''}
    autoComplete="new-password"
    visibilityToggleButtonProps={{ 'aria-label': String(props.options.toggleLabel ?? '') }}
    onChange={({ currentTarget }) => props.onChange(text(currentTarget.value))}
  />
);

const CheckboxWidget = (props: WidgetProps) => (
  <Checkbox
    {...shared(props)}
    checked={Boolean(props.value)}
    onChange={({ currentTarget }) => props.onChange(currentTarget.checked)}
  />
);

const SelectWidget = (props: WidgetProps) => (
  <NativeSelect
    {...shared(props)}
    value={props.value ?? ''}
    data={['', ...(props.options.enumOptions ?? []).map(({ value }) => String(value))]}
    onChange={({ currentTarget }) => props.onChange(text(currentTarget.value))}
  />
);

const TagsWidget = (props: WidgetProps) => (
  <TagsInput
    {...shared(props)}
    value={props.value ?? []}
    splitChars={[',', ';', ' ']}
    acceptValueOnBlur
    onChange={(values) => props.onChange(values.length === 0 ? undefined : values)}
  />
);

export const formTheme: ThemeProps = {
  templates: {
    FieldTemplate,
    ObjectFieldTemplate,
    ErrorListTemplate: Nothing,
    ButtonTemplates: { SubmitButton: Nothing },
  },
  widgets: { TextWidget, PasswordWidget, CheckboxWidget, SelectWidget, TagsWidget, MonthWidget, DayWidget },
};
