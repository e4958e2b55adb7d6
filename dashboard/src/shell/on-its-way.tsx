/** Indicator that is shown after a click while the file of the next page loads; the previous page stays visible. */
import { Progress, VisuallyHidden } from '@mantine/core';
import { useNavigation } from 'react-router';
import { common } from '../text/common-texts.ts';
import styles from './shell.module.css';

export const OnItsWay = () => {
  const say = common.useTexts();
  const { state } = useNavigation();
  return (
    <output className={styles.onItsWay}>
      {state !== 'idle' && (
        <div className={styles.notAtOnce}>
          {/* The progress is unknown, so there is no value for screen readers. */}
          <Progress.Root size="xs" radius={0} aria-hidden>
            <Progress.Section value={100} animated withAria={false} />
          </Progress.Root>
          <VisuallyHidden>{say('state.loading')}</VisuallyHidden>
        </div>
      )}
    </output>
  );
};
