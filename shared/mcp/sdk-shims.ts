/**
 * Replaces a part of the agents' SDK in bundles (infra/bundle.ts): the validator of answers that people give to
 * questions is a third of the SDK, and this server asks no questions.
 */
export class DefaultJsonSchemaValidator {
  getValidator(): never {
    throw new Error('nobody is asked for anything');
  }
}
