/** What a form's refusal says that no field of it shows: above its button. */
import { Alert } from '@mantine/core';
import { findingsElsewhere, findingsOf } from '../problem/field-findings.ts';
import { Problem } from '../problem/problem.tsx';

export const FormProblem = ({ error, fields }: { error: Error | null; fields: readonly string[] }) => {
  if (error === null) return null;
  const findings = findingsOf(error);
  if (findings.length === 0) return <Problem error={error} />;
  const rest = findingsElsewhere(findings, fields);
  if (rest.length === 0) return null;
  return (
    <Alert color="red" variant="light" role="alert">
      {rest.map(({ field, rule }) => `${field} ${rule}`.trim()).join('; ')}
    </Alert>
  );
};
