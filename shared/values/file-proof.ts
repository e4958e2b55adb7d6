/** How the bytes of a file were known for the right ones: by the size that its list shows, or by their form alone. */
export const FILE_PROOFS = ['size', 'form'] as const;
export type FileProof = (typeof FILE_PROOFS)[number];
