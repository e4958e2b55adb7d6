/** The part of a form's refusal that no field shows, displayed above the button. */
import { Alert } from '@mantine/core';
import { findingsElsewhere, findingsOf } from './field-findings.ts';
import { Problem } from './problem.tsx';

interface FormProblemProps {
  error: unknown;
  /** Fields that show their own findings. */
  fields: readonly string[];
  /** Explanation, if the form knows more than the code says. */
  text?: string | undefined;
}

export const FormProblem = ({ error, fields, text }: FormProblemProps) => {
  if (error === null) return null;
  const findings = findingsOf(error);
  if (findings.length === 0) return <Problem error={error} {...(text === undefined ? {} : { text })} />;
  const rest = findingsElsewhere(findings, fields);
  if (rest.length === 0) return null;
  return (
    <Alert color="red" variant="light" role="alert">
      {rest.map(({ field, rule }) => `${field} ${rule}`.trim()).join('; ')}
    </Alert>
  );
};
