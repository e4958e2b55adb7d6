/**
 * Target of an export. If the browser supports the File System Access API, the export is written directly to the chosen
 * file. Otherwise its pieces are collected in blobs, which a browser may store on disk, and offered as a download at the
 * end.
 */
import type { Sink } from './sink.ts';

interface PickerWindow {
  showSaveFilePicker?: (options: {
    suggestedName: string;
    types: { accept: Record<string, string[]> }[];
  }) => Promise<FileSystemFileHandle>;
}

/**
 * Time after which the download's address is revoked. The browser needs the address only until the download begins,
 * which takes much less time.
 */
const REVOKE_AFTER_MS = 60_000;

const fileSink = async (handle: FileSystemFileHandle): Promise<Sink> => {
  const stream = await handle.createWritable();
  return {
    write: (piece) => stream.write(piece as string | BufferSource),
    close: () => stream.close(),
    abort: () => stream.abort(),
  };
};

const downloadSink = (name: string, type: string): Sink => {
  let pieces: Blob[] = [];
  let isAborted = false;
  return {
    async write(piece) {
      pieces.push(new Blob([piece as BlobPart], { type }));
    },
    async close() {
      if (isAborted) return;
      const href = URL.createObjectURL(new Blob(pieces, { type }));
      pieces = [];
      Object.assign(document.createElement('a'), { href, download: name }).click();
      setTimeout(() => URL.revokeObjectURL(href), REVOKE_AFTER_MS);
    },
    async abort() {
      isAborted = true;
      pieces = [];
    },
  };
};

/**
 * Asks the person for the target file if the browser supports this; must be called by a click. Resolves with null when
 * the person cancels.
 */
export const openSink = async (name: string, type: string): Promise<Sink | null> => {
  const pick = (window as PickerWindow).showSaveFilePicker;
  if (!pick) return downloadSink(name, type);
  try {
    const accept = { [type]: [`.${name.split('.').at(-1)}`] };
    return await fileSink(await pick.call(window, { suggestedName: name, types: [{ accept }] }));
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return null;
    // A frame or a policy may forbid the file picker in a browser that has one.
    return downloadSink(name, type);
  }
};
