/** What the service says of a failure in addition to its code. */
import { Text } from '@mantine/core';
import { TechnicalDetail } from '../problem/technical-detail.tsx';
import { causeTexts } from './cause-texts.ts';
import { failureDetail } from './causes.ts';

export const FailureDetail = ({ message }: { message: string }) => {
  // Renders again when the language changes.
  causeTexts.useTexts();
  const text = failureDetail(message);
  return (
    <>
      {text !== null && text !== message && <Text size="sm">{text}</Text>}
      <TechnicalDetail message={message} />
    </>
  );
};
