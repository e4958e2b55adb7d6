/** Links to stored files as the local stack signs them: a plain client that follows a link gets the file. */
import { CreateBucketCommand } from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import { objectClient } from '#shared/platform/object-client.ts';
import { deleteSome, objectKey, put } from '#shared/tenders/document.store.ts';
import { readDocument, signedUrl } from '#shared/tenders/document-link.client.ts';
import { createClock } from '#tools/local/clock.ts';
import { LOCAL_CREDENTIALS } from '#tools/local/overlay.ts';
import { startQueues } from '#tools/local/queues.ts';
import { temporaryFolder } from './tiny-stack.ts';

test('a file is stored, linked, fetched and deleted', async () => {
  const folder = temporaryFolder();
  const clock = createClock(`${folder}/clock.json`);
  const servers = await startQueues({ clock, storageFolder: `${folder}/s3`, region: 'us-east-1' });
  Object.assign(process.env, {
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: LOCAL_CREDENTIALS.accessKeyId,
    AWS_SECRET_ACCESS_KEY: LOCAL_CREDENTIALS.secretAccessKey,
    AWS_ENDPOINT_URL_S3: servers.endpoint,
    DOCUMENT_BUCKET_NAME: 'documents',
  });
  try {
    await objectClient().send(new CreateBucketCommand({ Bucket: 'documents' }));
    const owner = { organizationId: 'o', connectionId: 'c' };
    const object = objectKey(owner, 'files', 'd');
    await put(object, Buffer.from('%PDF ñ'), 'año.pdf');
    // Virtual time is ahead of the clock that signs the link.
    clock.advance(90 * 86_400_000);
    const response = await fetch(await signedUrl(object));
    expect(response.status).toBe(200);
    expect(await response.text()).toBe('%PDF ñ');
    expect(response.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''a%C3%B1o.pdf");
    expect(response.headers.get('content-type')).toBe('application/octet-stream');
    expect(Buffer.from(await readDocument(object)).toString()).toBe('%PDF ñ');
    expect(await deleteSome(owner)).toBe(true);
    expect(await deleteSome(owner)).toBe(false);
  } finally {
    await servers.close();
    await clock.close();
  }
});
