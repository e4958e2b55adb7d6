/**
 * The frame of every page after the sign-in: links to the sections, the choice of appearance, and the button to sign
 * out.
 */
import { Button, Group, Loader, NativeSelect, NavLink, Text, useMantineColorScheme } from '@mantine/core';
import { Suspense } from 'react';
import { Link, Outlet, useLocation } from 'react-router';
import { common } from '../text/common-texts.ts';
import { language } from '../text/language.ts';
import { switchLanguage } from '../text/switch-language.ts';
import { OnItsWay } from './on-its-way.tsx';
import styles from './shell.module.css';
import { shellTexts } from './texts.ts';
import { WhoseSession } from './whose-session.tsx';

const SECTIONS = ['connections', 'months', 'data', 'links', 'api-keys', 'applications', 'webhooks', 'trail'] as const;
const SCHEMES = ['auto', 'light', 'dark'] as const;

const Appearance = () => {
  const say = shellTexts.useTexts();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <NativeSelect
      size="xs"
      aria-label={say('theme.label')}
      value={colorScheme}
      onChange={({ currentTarget }) => setColorScheme(SCHEMES.find((each) => each === currentTarget.value) ?? 'auto')}
      data={SCHEMES.map((value) => ({ value, label: say(`theme.${value}`) }))}
    />
  );
};

export const AppShell = ({ onSignOut }: { onSignOut: () => void }) => {
  const say = shellTexts.useTexts();
  const product = common.useTexts()('product');
  const { pathname } = useLocation();
  return (
    <div className={styles.shell}>
      <OnItsWay />
      <a className={styles.skip} href="#content">
        {say('skip')}
      </a>
      <header className={styles.header}>
        <div>
          <Text fw={700}>{product}</Text>
          <WhoseSession />
        </div>
        <Group gap="xs">
          <Appearance />
          <Button size="xs" variant="default" lang={language === 'es' ? 'en' : 'es'} onClick={switchLanguage}>
            {say('language')}
          </Button>
          <Button size="xs" variant="default" onClick={onSignOut}>
            {say('sign-out')}
          </Button>
        </Group>
      </header>
      <nav className={styles.nav} aria-label={say('nav.label')}>
        <ul className={styles.links}>
          {SECTIONS.map((section) => {
            const isActive = pathname === `/${section}` || pathname.startsWith(`/${section}/`);
            return (
              <li key={section}>
                <NavLink
                  component={Link}
                  to={`/${section}`}
                  label={say(`nav.${section}`)}
                  active={isActive}
                  aria-current={isActive ? 'page' : undefined}
                />
              </li>
            );
          })}
        </ul>
      </nav>
      <main className={styles.main} id="content" tabIndex={-1}>
        <Suspense fallback={<Loader size="sm" />}>
          <Outlet />
        </Suspense>
      </main>
    </div>
  );
};
