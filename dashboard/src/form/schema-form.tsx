/**
 * A form drawn from a JSON Schema of the API. Findings of the API stand beside their fields, as those found here do;
 * what was typed is the caller's, so that nothing is lost when something goes wrong.
 */
import type { FormProps } from '@rjsf/core';
// The package's main module loads the validator that the content security policy refuses.
import withTheme from '@rjsf/core/lib/withTheme.js';
import type { RJSFSchema, UiSchema } from '@rjsf/utils';
import { type Ref, useMemo } from 'react';
import type { FieldFinding } from '../problem/field-findings.ts';
import { type FieldSchema, fieldTexts, findLabel } from './field-texts.ts';
import { formTheme } from './form-theme.tsx';
import { schemaValidator } from './schema-validator.ts';

const ThemedForm = withTheme(formTheme);

/** A list that must not be empty where it is given may be left out: the library would begin it with an empty entry. */
const NOTHING_BEFOREHAND = { arrayMinItems: { populate: 'never' } } as const;

export type FormValues = Record<string, unknown>;

interface SchemaFormProps {
  /** Names the form's fields in the page. */
  id: string;
  schema: RJSFSchema;
  values: FormValues;
  onChange: (values: FormValues) => void;
  /** Of the API, their fields below `path`: `credentials.rut` with the path `credentials`. */
  findings: readonly FieldFinding[];
  path: string;
  ref?: Ref<FormHandle>;
}

export interface FormHandle {
  /** Shows what is missing beside the fields; true when nothing is. */
  validateForm(): boolean;
}

/** A month as the API writes it (`2026-10`) is what a month input gives. */
const MONTH = '^\\d{4}-(0[1-9]|1[0-2])$';

const widgetOf = (type: unknown, format: string | undefined, pattern: string | undefined): string | undefined => {
  if (type === 'array') return 'TagsWidget';
  if (pattern === MONTH) return 'MonthWidget';
  return format === 'date' ? 'DayWidget' : undefined;
};

const uiOf = (schema: RJSFSchema): UiSchema => {
  const properties = Object.entries(schema.properties ?? {}) as [string, RJSFSchema][];
  return Object.fromEntries(
    properties.map(([name, schema]) => {
      const { type, format, pattern, examples } = schema;
      const example = Array.isArray(examples) && typeof examples[0] === 'string' ? examples[0] : undefined;
      const widget = widgetOf(type, format, pattern);
      const password = format === 'password' ? { 'ui:options': { toggleLabel: fieldTexts.say('show') } } : {};
      const { label, help } = findLabel(name, schema as FieldSchema);
      return [
        name,
        {
          'ui:title': label,
          'ui:help': help,
          'ui:placeholder': example,
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

/** By the id that the library gives an input; its own way wants a form element. @param property `.rut` */
const focusOn = (id: string, property: string): void =>
  document.getElementById(`${id}${property.replaceAll('.', '_')}`)?.focus();

export const SchemaForm = ({ id, schema, values, onChange, findings, path, ref }: SchemaFormProps) => {
  const uiSchema = useMemo(() => uiOf(schema), [schema]);
  const extraErrors = useMemo(() => extraErrorsOf(findings, path), [findings, path]);
  return (
    <ThemedForm
      ref={ref as never}
      idPrefix={id}
      // A form must not stand in a form: the page's own has the button.
      tagName="div"
      schema={schema}
      uiSchema={uiSchema}
      formData={values}
      validator={schemaValidator}
      extraErrors={extraErrors}
      extraErrorsBlockSubmit={false}
      showErrorList={false}
      experimental_defaultFormStateBehavior={NOTHING_BEFOREHAND}
      // Shown beside the fields; without this the library writes it to the console, too.
      onError={() => {}}
      focusOnFirstError={({ property = '' }) => focusOn(id, property)}
      onChange={({ formData }) => onChange((formData ?? {}) as FormValues)}
    />
  );
};
