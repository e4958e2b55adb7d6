/**
 * The frame of every page after the sign-in: links to the sections, the choice of appearance, and the button to sign
 * out.
 */
import { Button, Group, Loader, NativeSelect, NavLink, Text, useMantineColorScheme } from '@mantine/core';
import { Suspense, useState } from 'react';
import { Link, Outlet, useLocation } from 'react-router';
import { common } from '../text/common-texts.ts';
import { LanguageButton } from '../text/language-button.tsx';
import { OnItsWay } from './on-its-way.tsx';
import styles from './shell.module.css';
import { shellTexts } from './texts.ts';
import { useIsPhone } from './use-is-phone.ts';
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

/** On a phone the links are behind a button, which names the current section. */
const Sections = () => {
  const say = shellTexts.useTexts();
  const isPhone = useIsPhone();
  const [isOpen, setOpen] = useState(false);
  const { pathname } = useLocation();
  const current = SECTIONS.find((section) => pathname === `/${section}` || pathname.startsWith(`/${section}/`));
  return (
    <nav className={styles.nav} aria-label={say('nav.label')}>
      {isPhone && (
        <Button variant="subtle" size="sm" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {say('nav.menu')}
          {current && `: ${say(`nav.${current}`)}`}
        </Button>
      )}
      {(isOpen || !isPhone) && (
        <ul className={styles.links}>
          {SECTIONS.map((section) => (
            <li key={section}>
              <NavLink
                component={Link}
                to={`/${section}`}
                label={say(`nav.${section}`)}
                active={section === current}
                aria-current={section === current ? 'page' : undefined}
                onClick={() => setOpen(false)}
              />
            </li>
          ))}
        </ul>
      )}
    </nav>
  );
};

export const AppShell = ({ onSignOut }: { onSignOut: () => void }) => {
  const say = shellTexts.useTexts();
  const product = common.useTexts()('product');
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
          <LanguageButton />
          <Button size="xs" variant="default" onClick={onSignOut}>
            {say('sign-out')}
          </Button>
        </Group>
      </header>
      <Sections />
      <main className={styles.main} id="content" tabIndex={-1}>
        <Suspense fallback={<Loader size="sm" />}>
          <Outlet />
        </Suspense>
      </main>
    </div>
  );
};
