/**
 * The dashboard's files in their bucket (docs/adr/0011). The CDK uploads each file to the account's asset bucket. The
 * function `publish-dashboard` lets S3 copy the files while the stack is deployed, and removes them before the stack is
 * deleted.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CustomResource, Duration } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { Asset } from 'aws-cdk-lib/aws-s3-assets';
import { Construct } from 'constructs';
import type { Publication } from '#functions/publish-dashboard/contract.ts';
import { PUBLISH_FUNCTION } from '#infra/manifest.ts';
import type { Stage } from '#infra/stages.ts';
import { findContentType } from '#infra/web/content-types.ts';
import { type FileOfPage, partsOfPage } from '#infra/web/page-files.ts';
import { signInConfig } from '#infra/web/sign-in-config.ts';
import { makeFunction } from './make-function.ts';

/**
 * If the function cannot answer (it does not start, or lacks a permission), the deploy waits for this time;
 * CloudFormation's default is one hour.
 */
const ANSWER_WITHIN = Duration.minutes(10);

const CONFIG = 'config.json';

interface PublishedPageProps {
  stage: Stage;
  bucket: IBucket;
  /** Folder of the built page. */
  webDir: string;
  /** Folder of the bundles; null for placeholder code. */
  bundleDir: string | null;
}

export class PublishedPage extends Construct {
  constructor(scope: Construct, id: string, { stage, bucket, webDir, bundleDir }: PublishedPageProps) {
    super(scope, id);
    const uploads = new Construct(this, 'Uploads');
    const upload = ({ path, key }: Pick<FileOfPage, 'path' | 'key'>): Asset => new Asset(uploads, key, { path });

    const config = this.configOf(stage, upload);
    const [assets, page] = partsOfPage(webDir).map(({ cacheControl, files }) => ({
      cacheControl,
      files: files.map((file) => ({
        key: file.key,
        asset: upload(file).s3ObjectKey,
        contentType: file.contentType,
      })),
    }));
    page!.files.push({ key: CONFIG, asset: config.s3ObjectKey, contentType: findContentType(CONFIG)! });

    const lambda = makeFunction(this, PUBLISH_FUNCTION, {
      stage,
      bundleDir,
      statements: [
        new PolicyStatement({
          actions: ['s3:GetObject'],
          resources: [config.bucket.arnForObjects('*')],
        }),
        new PolicyStatement({
          actions: ['s3:DeleteObject', 's3:PutObject'],
          resources: [bucket.arnForObjects('*')],
        }),
        new PolicyStatement({ actions: ['s3:ListBucket'], resources: [bucket.bucketArn] }),
      ],
      environment: { STAGE: stage.name },
      isTraced: false,
    });
    const publication: Publication = {
      bucket: bucket.bucketName,
      assetBucket: config.s3BucketName,
      parts: [assets!, page!],
    };
    new CustomResource(this, 'Files', {
      resourceType: 'Custom::PublishedPage',
      serviceToken: lambda.functionArn,
      serviceTimeout: ANSWER_WITHIN,
      properties: publication,
    });
  }

  /** Uploads `config.json` separately: the sign-in settings depend on the stage, so they are not part of the build. */
  private configOf(stage: Stage, upload: (file: { path: string; key: string }) => Asset): Asset {
    const folder = mkdtempSync(join(tmpdir(), 'page-'));
    try {
      const path = join(folder, CONFIG);
      writeFileSync(path, JSON.stringify(signInConfig(stage)));
      return upload({ path, key: CONFIG });
    } finally {
      // The file is no longer needed, because the CDK has copied it.
      rmSync(folder, { recursive: true });
    }
  }
}
