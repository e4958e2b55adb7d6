/** Nobody sees a page without a session. */
import { AppShell } from '../shell/app-shell.tsx';

export const Gate = () => <AppShell onSignOut={() => {}} />;
