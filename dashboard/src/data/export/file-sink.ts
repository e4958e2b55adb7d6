/**
 * Target of an export. If the browser supports the File System Access API, the export is written directly to the chosen
 * file. Otherwise the text is collected in blobs, which a browser may store on disk, and offered as a download at the
 * end.
 */
export interface Sink {
  write(text: string): Promise<void>;
  /** Completes the file after its last piece. */
  close(): Promise<void>;
  /** Removes everything that was written to the file. */
  abort(): Promise<void>;
}

interface PickerWindow {
  showSaveFilePicker?: (options: {
    suggestedName: string;
    types: { accept: Record<string, string[]> }[];
  }) => Promise<FileSystemFileHandle>;
}

const TYPE = 'text/csv';
/**
 * Time after which the download's address is revoked. The browser needs the address only until the download begins,
 * which takes much less time.
 */
const REVOKE_AFTER_MS = 60_000;

const fileSink = async (handle: FileSystemFileHandle): Promise<Sink> => {
  const stream = await handle.createWritable();
  return { write: (text) => stream.write(text), close: () => stream.close(), abort: () => stream.abort() };
};

const downloadSink = (name: string): Sink => {
  let pieces: Blob[] = [];
  return {
    async write(text) {
      pieces.push(new Blob([text], { type: TYPE }));
    },
    async close() {
      const href = URL.createObjectURL(new Blob(pieces, { type: `${TYPE};charset=utf-8` }));
      pieces = [];
      Object.assign(document.createElement('a'), { href, download: name }).click();
      setTimeout(() => URL.revokeObjectURL(href), REVOKE_AFTER_MS);
    },
    async abort() {
      pieces = [];
    },
  };
};

/**
 * Asks the person for the target file if the browser supports this; must be called by a click. Resolves with null when
 * the person cancels.
 */
export const openSink = async (name: string): Promise<Sink | null> => {
  const pick = (window as PickerWindow).showSaveFilePicker;
  if (!pick) return downloadSink(name);
  try {
    return await fileSink(await pick.call(window, { suggestedName: name, types: [{ accept: { [TYPE]: ['.csv'] } }] }));
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return null;
    // A frame or a policy may forbid the file picker in a browser that has one.
    return downloadSink(name);
  }
};
