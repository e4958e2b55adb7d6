/**
 * How the bytes of a file were verified: by the size that the source's list shows, or only by the file format of the
 * bytes.
 */
export const FILE_PROOFS = ['size', 'form'] as const;
export type FileProof = (typeof FILE_PROOFS)[number];
