/**
 * The part above a form's button, after a refusal: it shows the findings that no field shows, and moves the focus to the
 * first field that is wrong.
 */
import { Alert } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { findingsElsewhere, readFindings } from './field-findings.ts';
import { Problem } from './problem.tsx';

interface FormProblemProps {
  error: unknown;
  /** Names of the fields that show their own findings. */
  fields: readonly string[];
  /** Explanation of the error, if the form can say more than the error's code. */
  text?: string | undefined;
  /** Changes with each attempt that the form itself refuses. */
  attempt?: number;
}

const Findings = ({ error, fields, text }: Omit<FormProblemProps, 'attempt'>) => {
  if (error === null) return null;
  if (text !== undefined) return <Problem error={error} text={text} />;
  const findings = readFindings(error);
  if (findings.length === 0) return <Problem error={error} />;
  const rest = findingsElsewhere(findings, fields);
  if (rest.length === 0) return null;
  return (
    <Alert color="red" variant="light" role="alert">
      {rest.map(({ field, rule }) => (field === '' ? rule : `${field}: ${rule}`)).join(' ')}
    </Alert>
  );
};

export const FormProblem = ({ attempt = 0, ...problem }: FormProblemProps) => {
  const place = useRef<HTMLSpanElement>(null);
  const { error } = problem;
  useEffect(() => {
    if (error === null && attempt === 0) return;
    place.current?.closest('form')?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [error, attempt]);
  return (
    <>
      <span ref={place} hidden />
      <Findings {...problem} />
    </>
  );
};
