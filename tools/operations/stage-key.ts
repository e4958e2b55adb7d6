/** Reads the key that encrypts a deployed stage's secrets from the exports of the data stack. */
import { load } from 'cheerio';
import { SERVICE } from '#shared/platform/metric-catalogue.ts';
import { describeStack } from '#shared/platform/signed-request.ts';
import { AppError } from '#shared/values/app-error.ts';

class StageKeyUnknown extends AppError {}

/** Matches the output name that the CDK derives from the key's logical id. */
const OUTPUT = /^ExportsOutputFnGetAttSecretsKey[0-9A-F]+Arn[0-9A-F]+$/;

/**
 * Resolves with the key's ARN, which is read from CloudFormation with the operator's own credentials.
 * @throws StageKeyUnknown when the stack does not exist or has no such output, or when the credentials may not read it
 */
export const readSecretsKeyArn = async (stage: string): Promise<string> => {
  const stack = `${SERVICE}-${stage}-data`;
  const answer = await describeStack(stack);
  const $ = load(await answer.text(), { xml: true });
  const [output] = $('Outputs > member')
    .toArray()
    .filter((each) => OUTPUT.test($(each).children('OutputKey').text()));
  const arn = output && $(output).children('OutputValue').text();
  if (!answer.ok || !arn)
    throw new StageKeyUnknown(
      `cloudformation:DescribeStacks of ${stack} answered ${answer.status} and no key: is the stage deployed there, may these credentials ask?`,
    );
  return arn;
};
