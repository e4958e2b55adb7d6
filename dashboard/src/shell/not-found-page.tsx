import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import { Page } from './page.tsx';
import { shellTexts } from './texts.ts';

export const Component = () => {
  const say = shellTexts.useTexts();
  return (
    <Page title={say('not-found.title')}>
      <Anchor component={Link} to="/connections">
        {say('not-found.home')}
      </Anchor>
    </Page>
  );
};
