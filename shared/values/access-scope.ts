/** The only OAuth scope that a client may request: reading synchronized data. */
export const DATA_SCOPE = 'data:read';
