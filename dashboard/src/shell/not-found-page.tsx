import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import { problemTexts } from '../problem/texts.ts';
import { Page } from './page.tsx';
import { shellTexts } from './texts.ts';

export const Component = () => {
  const say = shellTexts.useTexts();
  return (
    <Page title={say('not-found.title')}>
      <Anchor component={Link} to="/connections">
        {problemTexts.say('missing.home')}
      </Anchor>
    </Page>
  );
};
