import { answerQuestion, QuestionChanged, TooManyGrants } from '#shared/agents/authorize.ts';
import { AGENT_LIMITS } from '#shared/agents/limits.ts';
import { endpoint, type Logic } from '#shared/http/endpoint.ts';
import { ApiError } from '#shared/http/response/errors.ts';
import { askedPerson, nobodyAsks } from '../asked-person.ts';
import { contract } from './contract.ts';

const refusal = (error: unknown): unknown => {
  if (error instanceof QuestionChanged)
    return new ApiError('authorization_changed', 'The request of the application has changed: review it again.');
  if (error instanceof TooManyGrants)
    return new ApiError(
      'grant_limit_reached',
      `The organization has ${AGENT_LIMITS.grantsPerOrganizationMax} granted applications: revoke one first. ` +
        'If it has fewer, too many ended within a month: try again in a few days.',
    );
  return error;
};

export const decideAuthorization: Logic<typeof contract> = async ({ caller, cause, body, newId }) => {
  const { asked, headers } = await askedPerson(caller);
  const answer = await answerQuestion({ ...body, grantId: newId() }, asked, cause).catch((error: unknown) => {
    throw refusal(error);
  });
  if (answer.kind === 'page') throw nobodyAsks(answer.finding);
  return { status: 200, body: { data: { redirect_to: answer.to } }, headers };
};

export const handler = endpoint(contract, decideAuthorization);
