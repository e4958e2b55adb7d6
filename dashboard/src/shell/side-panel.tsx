/**
 * Dialog at the right side of the page. Its head is not a `header` element, which assistive technology would announce as
 * a second banner of the page.
 */
import { Drawer, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { common } from '../text/common-texts.ts';

interface SidePanelProps {
  isOpen: boolean;
  title: string;
  /** Width; wide enough for a table of figures if absent. */
  size?: string;
  onClose(): void;
  children: ReactNode;
}

/** The library would lock the page's scroll with a style element, which the content security policy blocks. */
export const SidePanel = ({ isOpen, title, size = '75rem', onClose, children }: SidePanelProps) => (
  <Drawer.Root opened={isOpen} onClose={onClose} position="right" size={size} lockScroll={false}>
    <Drawer.Overlay />
    <Drawer.Content>
      <Group justify="space-between" wrap="nowrap" p="md">
        <Drawer.Title>{title}</Drawer.Title>
        <Drawer.CloseButton aria-label={common.say('action.close')} />
      </Group>
      <Drawer.Body>{children}</Drawer.Body>
    </Drawer.Content>
  </Drawer.Root>
);
