/** How the bytes of a file were known for the right ones: by the size that its list shows, or by their form alone. */
export type FileProof = 'size' | 'form';
