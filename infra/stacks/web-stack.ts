/**
 * The dashboard: its files in a private bucket behind CloudFront. CloudFront also serves the API under /api of the same
 * domain, so that the session cookie belongs to one origin and no response needs CORS.
 */
import { Aws, CfnOutput, Duration, RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  AllowedMethods,
  type BehaviorOptions,
  CachePolicy,
  Distribution,
  Function as EdgeFunction,
  type FunctionAssociation,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  HeadersFrameOption,
  HeadersReferrerPolicy,
  HttpVersion,
  OriginRequestPolicy,
  ResponseHeadersPolicy,
  S3OriginAccessControl,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin, S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { BlockPublicAccess, Bucket, BucketEncryption, type IBucket } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import { EdgeLog } from '#infra/constructs/edge-log.ts';
import { PublishedPage } from '#infra/constructs/published-page.ts';
import type { Stage } from '#infra/stages.ts';
import { agentChallenge } from '#infra/web/agent-challenge.ts';
import { contentSecurityPolicy, FURTHER_HEADERS, HSTS_SECONDS } from '#infra/web/page-headers.ts';
import { issuerOrigins } from '#infra/web/sign-in-config.ts';
import { AGENT_PATHS } from '#shared/agents/addresses.ts';

/**
 * Statuses whose responses CloudFront must not cache: all statuses that it would cache (AWS's documents), except the
 * statuses with which CloudFront itself refuses a request.
 */
const ERRORS_NOT_KEPT = [403, 404, 405, 414, 500, 501, 502, 503, 504];

/**
 * Code of a CloudFront function that serves the page for every address without a dot in its last part; only files have
 * a dot there.
 */
const PAGE_FOR_ADDRESSES = `function handler(event) {
  var request = event.request;
  if (!/\\.[a-z0-9]+$/.test(request.uri)) request.uri = '/index.html';
  return request;
}`;

interface WebStackProps extends StackProps {
  stage: Stage;
  apiId: string;
  /**
   * Folder that contains one folder of code per function id; null for placeholder code, when only the template matters.
   */
  bundleDir: string | null;
  /** Folder of the built page. */
  webDir: string;
}

export class WebStack extends Stack {
  /** Scheme and host of the page, without trailing slash. */
  readonly publicOrigin: string;

  constructor(scope: Construct, id: string, { stage, apiId, bundleDir, webDir, ...props }: WebStackProps) {
    super(scope, id, props);
    // The bucket is emptied and deleted with the stack, because a deploy restores all files of the bucket. The cast is
    // necessary because the library's own type does not compile under exactOptionalPropertyTypes.
    const bucket = new Bucket(this, 'Files', {
      encryption: BucketEncryption.S3_MANAGED,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      enforceSSL: true,
      removalPolicy: RemovalPolicy.DESTROY,
      lifecycleRules: [{ abortIncompleteMultipartUploadAfter: Duration.days(1) }],
    }) as IBucket;
    const distribution = this.distributionOf(stage, bucket, apiId);
    // The emulator of verify:deploy does not know deliveries of logs.
    if (stage.name !== 'emulator') new EdgeLog(this, 'EdgeLog', { stage: stage.name, distribution });
    new PublishedPage(this, 'PublishDashboard', { stage, bucket, webDir, bundleDir });
    const { distributionDomainName } = distribution;
    this.publicOrigin = `https://${stage.domain?.name ?? distributionDomainName}`;
    new CfnOutput(this, 'DashboardUrl', { value: this.publicOrigin, description: 'The dashboard' });
    const use = stage.domain === null ? 'The distribution' : `Target of the CNAME record of ${stage.domain.name}`;
    new CfnOutput(this, 'DistributionDomain', { value: distributionDomainName, description: use });
    // The export is unconditional, so that it still exists when the stage gets its own domain.
    this.exportValue(distributionDomainName);
  }

  private distributionOf(stage: Stage, bucket: IBucket, apiId: string): Distribution {
    const { domain } = stage;
    const api: BehaviorOptions = {
      origin: new HttpOrigin(`${apiId}.execute-api.${this.region}.${this.urlSuffix}`),
      viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
      allowedMethods: AllowedMethods.ALLOW_ALL,
      cachePolicy: CachePolicy.CACHING_DISABLED,
      // Forwards all headers except `host`: API Gateway finds the API by the `host` header, which must name the origin.
      originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
    };
    const forAgents = { ...api, functionAssociations: [this.challengeOf(domain?.name ?? null)] };
    return new Distribution(this, 'Distribution', {
      comment: this.stackName,
      httpVersion: HttpVersion.HTTP2_AND_3,
      minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
      defaultRootObject: 'index.html',
      ...(domain === null
        ? {}
        : {
            domainNames: [domain.name],
            certificate: Certificate.fromCertificateArn(this, 'Certificate', domain.certificateArn),
          }),
      defaultBehavior: {
        origin: S3BucketOrigin.withOriginAccessControl(bucket, {
          originAccessControl: new S3OriginAccessControl(this, 'FilesAccess', {
            originAccessControlName: this.globalName('files'),
          }),
        }),
        viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
        allowedMethods: AllowedMethods.ALLOW_GET_HEAD,
        // CloudFront caches assets for a year, and the `no-cache` page for its shortest time of one second, so no
        // deploy needs an invalidation.
        cachePolicy: CachePolicy.CACHING_OPTIMIZED,
        responseHeadersPolicy: this.headersOf(stage),
        functionAssociations: [
          {
            eventType: FunctionEventType.VIEWER_REQUEST,
            function: new EdgeFunction(this, 'PageForAddresses', {
              code: FunctionCode.fromInline(PAGE_FOR_ADDRESSES),
              runtime: FunctionRuntime.JS_2_0,
            }),
          },
        ],
      },
      additionalBehaviors: {
        // CloudFront uses the first pattern that matches a path, so the order matters.
        [AGENT_PATHS.mcp]: forAgents,
        [`${AGENT_PATHS.mcp}/`]: forAgents,
        '/.well-known/*': forAgents,
        '/api/*': api,
        '/session': api,
        '/connect-session*': api,
        '/docs*': api,
        '/llms.txt': api,
      },
      // Without this setting CloudFront caches an error of either origin for ten seconds and sends it to everybody
      // (AWS's documents).
      errorResponses: ERRORS_NOT_KEPT.map((httpStatus) => ({ httpStatus, ttl: Duration.seconds(0) })),
    });
  }

  /**
   * Returns a CloudFront function that answers a request without a token with `www-authenticate`, by which an agent
   * learns where to request permission. API Gateway would rename this header.
   */
  private challengeOf(domain: string | null): FunctionAssociation {
    return {
      eventType: FunctionEventType.VIEWER_REQUEST,
      function: new EdgeFunction(this, 'ChallengeForAgents', {
        code: FunctionCode.fromInline(agentChallenge(domain === null ? null : `https://${domain}`)),
        runtime: FunctionRuntime.JS_2_0,
      }),
    };
  }

  /**
   * Returns a name that contains the region. Names of CloudFront's resources are unique in an account, so without the
   * region the stage could not be deployed in a second region (AWS's documents).
   */
  private globalName(name: string): string {
    return `${this.stackName}-${name}-${Aws.REGION}`;
  }

  private headersOf(stage: Stage): ResponseHeadersPolicy {
    return new ResponseHeadersPolicy(this, 'Headers', {
      responseHeadersPolicyName: this.globalName('headers'),
      securityHeadersBehavior: {
        contentSecurityPolicy: { contentSecurityPolicy: contentSecurityPolicy(issuerOrigins(stage)), override: true },
        contentTypeOptions: { override: true },
        frameOptions: { frameOption: HeadersFrameOption.DENY, override: true },
        referrerPolicy: { referrerPolicy: HeadersReferrerPolicy.SAME_ORIGIN, override: true },
        strictTransportSecurity: {
          accessControlMaxAge: Duration.seconds(HSTS_SECONDS),
          includeSubdomains: true,
          override: true,
        },
      },
      customHeadersBehavior: {
        customHeaders: Object.entries(FURTHER_HEADERS).map(([header, value]) => ({ header, value, override: true })),
      },
    });
  }
}
