/**
 * A form generated from a JSON Schema of the API. The form shows the API's findings next to their fields, like its own
 * findings. The caller stores the typed values, so that they are not lost after an error.
 */
import type { FormProps } from '@rjsf/core';
// This module is imported because the package's main module loads a validator that the content security policy blocks.
import withTheme from '@rjsf/core/lib/withTheme.js';
import type { RJSFSchema, UiSchema } from '@rjsf/utils';
import { type Ref, useMemo } from 'react';
import type { FieldFinding } from '../problem/field-findings.ts';
import { rutWithDots } from '../text/rut.ts';
import { fieldTexts, findLabel } from './field-texts.ts';
import { formTheme } from './form-theme.tsx';
import { schemaValidator } from './schema-validator.ts';

const ThemedForm = withTheme(formTheme);

/**
 * Without this setting the library would start an optional list with an empty entry, but an optional list must be
 * absent or have a valid entry.
 */
const NOTHING_BEFOREHAND = { arrayMinItems: { populate: 'never' } } as const;

export type FormValues = Record<string, unknown>;

interface SchemaFormProps {
  /** Prefix of the ids of the form's fields. */
  id: string;
  schema: RJSFSchema;
  values: FormValues;
  onChange: (values: FormValues) => void;
  /**
   * Findings of the API about this form. The fields' names in the findings begin with `path`: `credentials.rut` has the
   * path `credentials`.
   */
  findings: readonly FieldFinding[];
  path: string;
  ref?: Ref<FormHandle>;
}

export interface FormHandle {
  /** Shows missing values next to the fields; returns true when no value is missing. */
  validateForm(): boolean;
}

/** Pattern of a month in the schemas; the browser's month input returns months in this format (`2026-10`). */
const MONTH = '^\\d{4}-(0[1-9]|1[0-2])$';

const widgetOf = (type: unknown, format: string | undefined, pattern: string | undefined): string | undefined => {
  if (type === 'array') return 'TagsWidget';
  if (pattern === MONTH) return 'MonthWidget';
  return format === 'date' ? 'DayWidget' : undefined;
};

const uiOf = (form: string, schema: RJSFSchema): UiSchema => {
  const properties = Object.entries(schema.properties ?? {}) as [string, RJSFSchema][];
  return Object.fromEntries(
    properties.map(([name, { type, format, pattern, title, description, examples }]) => {
      const example = Array.isArray(examples) && typeof examples[0] === 'string' ? examples[0] : undefined;
      const widget = widgetOf(type, format, pattern);
      const password = format === 'password' ? { 'ui:options': { toggleLabel: fieldTexts.say('show') } } : {};
      const { label, help } = findLabel(form, name, { title, description, format });
      return [
        name,
        {
          'ui:title': label,
          'ui:help': help,
          'ui:placeholder': example === undefined ? undefined : rutWithDots(example),
          ...(widget === undefined ? {} : { 'ui:widget': widget }),
          ...password,
        },
      ];
    }),
  );
};

const extraErrorsOf = (findings: readonly FieldFinding[], path: string): FormProps['extraErrors'] => {
  const errors: Record<string, { __errors: string[] }> = {};
  for (const { field, rule } of findings) {
    if (!field.startsWith(`${path}.`)) continue;
    const [name = ''] = field.slice(path.length + 1).split(/[.[]/);
    errors[name] ??= { __errors: [] };
    errors[name].__errors.push(rule);
  }
  return errors as FormProps['extraErrors'];
};

/**
 * Focuses the input with the id that the library gave it. The library's own method is not used, because it needs a form
 * element. @param property such as `.rut`
 */
const focusOn = (id: string, property: string): void =>
  document.getElementById(`${id}${property.replaceAll('.', '_')}`)?.focus();

export const SchemaForm = ({ id, schema, values, onChange, findings, path, ref }: SchemaFormProps) => {
  const uiSchema = useMemo(() => uiOf(id, schema), [id, schema]);
  const extraErrors = useMemo(() => extraErrorsOf(findings, path), [findings, path]);
  return (
    <ThemedForm
      ref={ref as never}
      idPrefix={id}
      // The tag is `div` because this form is inside the page's form, and HTML allows no form inside a form. The page's
      // form has the button.
      tagName="div"
      schema={schema}
      uiSchema={uiSchema}
      formData={values}
      validator={schemaValidator}
      extraErrors={extraErrors}
      extraErrorsBlockSubmit={false}
      showErrorList={false}
      experimental_defaultFormStateBehavior={NOTHING_BEFOREHAND}
      // The form shows errors next to the fields; without this handler the library also writes the errors to the
      // console.
      onError={() => {}}
      focusOnFirstError={({ property = '' }) => focusOn(id, property)}
      onChange={({ formData }) => onChange((formData ?? {}) as FormValues)}
    />
  );
};
