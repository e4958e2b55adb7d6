/** How the bytes of a file were verified: by the size in its list, or only by their file format. */
export const FILE_PROOFS = ['size', 'form'] as const;
export type FileProof = (typeof FILE_PROOFS)[number];
