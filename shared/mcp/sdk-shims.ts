/**
 * In bundles it stands for what the SDK of agents takes from its runtime (infra/bundle.ts): the checker of what a person
 * was asked is a third of the SDK, and this server asks nobody.
 */
export class DefaultJsonSchemaValidator {
  getValidator(): never {
    throw new Error('nobody is asked for anything');
  }
}
