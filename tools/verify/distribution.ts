/**
 * Reads the configuration of the deployed CloudFront distribution: its settings, and the origin that serves each path.
 */
import { load } from 'cheerio';

/**
 * CloudFront's managed policies for the API's paths: CloudFront caches nothing, and forwards everything except the
 * host.
 */
const HANDED_ON = {
  CachePolicyId: '4135ea2d-6df8-44a3-9df3-4b5a84be39ad',
  OriginRequestPolicyId: 'b689b0a8-53d0-40ab-baf2-68738e2966ac',
};

export interface Distribution {
  /** Host name of the distribution. */
  host: string;
  /** Name of the bucket. */
  bucket: string;
  /** True if the API serves the path. As in CloudFront, the first behaviour that matches the path decides. */
  isOfApi(path: string): boolean;
}

const literal = (text: string): string => text.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&');
const fits = (pattern: string, path: string): boolean =>
  new RegExp(`^${pattern.split('*').map(literal).join('.*')}$`).test(path);

/**
 * @param dashboardUrl value of the stack's output
 * @throws Error unless there is exactly one distribution, which has a bucket with files and an API to which it forwards
 * everything
 */
export const readDistribution = async (endpoint: string, dashboardUrl: string): Promise<Distribution> => {
  const answer = await fetch(`${endpoint}/2020-05-31/distribution`);
  const $ = load(await answer.text(), { xml: true });
  const { host } = new URL(dashboardUrl);
  const found = $('DistributionSummary').filter((_, each) => $(each).children('DomainName').text() === host);
  if (found.length !== 1) throw new Error(`CloudFront knows ${found.length} distributions named ${host}`);

  const origins = new Map(
    found
      .find('Origins > Items > Origin')
      .toArray()
      .map((each) => [$(each).children('Id').text(), $(each).children('DomainName').text()]),
  );
  const originOf = (behaviour: Parameters<typeof $>[0]): string =>
    origins.get($(behaviour).children('TargetOriginId').text())!;
  const bucket = /^(.+)\.s3\.[\w-]+\.amazonaws\.com$/.exec(originOf(found.children('DefaultCacheBehavior')))?.[1];
  if (bucket === undefined) throw new Error('the default behaviour does not use a bucket');

  const patterns = found
    .find('CacheBehaviors > Items > CacheBehavior')
    .toArray()
    .map((each) => {
      const pattern = $(each).children('PathPattern').text();
      if (!/^\w+\.execute-api\./.test(originOf(each))) throw new Error(`${pattern} does not go to the API`);
      for (const [policy, id] of Object.entries(HANDED_ON))
        if ($(each).children(policy).text() !== id) throw new Error(`${policy} of ${pattern} has another value`);
      return pattern;
    });
  return { host, bucket, isOfApi: (path) => patterns.some((pattern) => fits(pattern, path)) };
};
