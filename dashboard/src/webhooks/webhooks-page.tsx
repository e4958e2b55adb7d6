import { Page } from '../shell/page.tsx';
import { shellTexts } from '../shell/texts.ts';

export const Component = () => <Page title={shellTexts.useTexts()('nav.webhooks')}>{null}</Page>;
