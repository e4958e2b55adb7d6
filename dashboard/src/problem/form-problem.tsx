/** Shows, above the form's button, the findings of a refusal that no field of the form shows. */
import { Alert } from '@mantine/core';
import { findingsElsewhere, readFindings } from './field-findings.ts';
import { Problem } from './problem.tsx';

interface FormProblemProps {
  error: unknown;
  /** Names of the fields that show their own findings. */
  fields: readonly string[];
  /** Explanation of the error, if the form can say more than the error's code. */
  text?: string | undefined;
}

export const FormProblem = ({ error, fields, text }: FormProblemProps) => {
  if (error === null) return null;
  if (text !== undefined) return <Problem error={error} text={text} />;
  const findings = readFindings(error);
  if (findings.length === 0) return <Problem error={error} />;
  const rest = findingsElsewhere(findings, fields);
  if (rest.length === 0) return null;
  return (
    <Alert color="red" variant="light" role="alert">
      {rest.map(({ field, rule }) => `${field} ${rule}`.trim()).join('; ')}
    </Alert>
  );
};
