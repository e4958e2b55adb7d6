/**
 * The keys of a connection's metadata that belong to the integrator. Every source accepts them, and no source reads
 * them.
 */
import * as z from 'zod';
import { rutCredential } from './credential-fields.ts';
import { hint } from './hint.ts';
import { normalizeRut } from './rut.ts';
import { shownText } from './shown-text.ts';

export const OWN_METADATA = {
  reference: shownText(64).meta({ title: 'Your own reference', examples: ['cliente-4711'], ...hint('own.reference') }),
  company_rut: rutCredential('RUT of the company, to find the connection by', 'own.company-rut'),
  company_name: shownText(120).meta({
    title: 'Name of the company',
    examples: ['Panadería Ñandú SpA'],
    ...hint('own.company-name'),
  }),
} as const;

export type OwnKey = keyof typeof OWN_METADATA;
const OWN_KEYS = Object.keys(OWN_METADATA) as OwnKey[];

type Metadata = Readonly<Record<string, unknown>>;

/** Returns the schema of a source's metadata: its own keys, and those of the integrator. */
export const connectionMetadata = <const Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject({
    ...shape,
    reference: OWN_METADATA.reference.optional(),
    company_rut: OWN_METADATA.company_rut.optional(),
    company_name: OWN_METADATA.company_name.optional(),
  });

const isOwn = (key: string): boolean => OWN_KEYS.some((own) => own === key);

const pick = (metadata: Metadata, wanted: (key: string) => boolean): Record<string, unknown> =>
  Object.fromEntries(Object.entries(metadata).filter(([key]) => wanted(key)));

/** Returns the metadata as it is stored: one spelling of the RUT, so that it can be found. */
export const storedMetadata = (metadata: Metadata): Record<string, unknown> => {
  const rut = typeof metadata.company_rut === 'string' ? normalizeRut(metadata.company_rut) : undefined;
  return { ...metadata, ...(rut === undefined ? {} : { company_rut: rut }) };
};

/** Returns the integrator's keys that a change clears with null, and the change without them. */
export const splitCleared = (sent: Metadata): { cleared: readonly string[]; metadata: Record<string, unknown> } => {
  const cleared = OWN_KEYS.filter((key) => sent[key] === null);
  return { cleared, metadata: pick(sent, (key) => !cleared.some((each) => each === key)) };
};

/**
 * Merges a change into the stored metadata. The integrator's keys change one by one. The source's keys are replaced as a
 * whole, unless the change has only keys of the integrator.
 */
export const mergeMetadata = (
  stored: Metadata,
  { cleared, metadata }: { cleared: readonly string[]; metadata: Metadata },
): Record<string, unknown> => {
  const sourceKeys = pick(metadata, (key) => !isOwn(key));
  const hasOwn = cleared.length > 0 || Object.keys(metadata).some(isOwn);
  const isForSource = Object.keys(sourceKeys).length > 0 || !hasOwn;
  const own = pick({ ...stored, ...metadata }, (key) => isOwn(key) && !cleared.includes(key));
  return storedMetadata({ ...(isForSource ? sourceKeys : pick(stored, (key) => !isOwn(key))), ...own });
};
