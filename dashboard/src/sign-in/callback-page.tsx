/** The page in the popup window to which the OpenID issuer redirects at the end of a sign-in. */
import { Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Problem } from '../problem/problem.tsx';
import { settingsQuery } from './sign-in-method.ts';

const finish = async (): Promise<null> => {
  const settings = await settingsQuery.queryFn({});
  if (settings.kind === 'openid') await (await import('./openid.ts')).finishInWindow(settings);
  return null;
};

export const Component = () => {
  const { error } = useQuery({ queryKey: ['sign-in-callback'], queryFn: finish, retry: false, gcTime: 0 });
  return error === null ? <Loader size="sm" m="xl" /> : <Problem error={error} />;
};
