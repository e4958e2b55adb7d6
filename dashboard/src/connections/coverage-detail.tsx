/** Dialog with the figures of a month. */
import { SidePanel } from '../shell/side-panel.tsx';
import { month } from '../text/month.ts';
import { coverageTexts } from './coverage-texts.ts';
import { PeriodFigures, type ScopeMonth } from './period-figures.tsx';

interface CoverageDetailProps {
  /** The month in the dialog; null when the dialog is closed. */
  shown: ScopeMonth | null;
  onClose(): void;
}

export const CoverageDetail = ({ shown, onClose }: CoverageDetailProps) => {
  const say = coverageTexts.useTexts();
  return (
    <SidePanel
      isOpen={shown !== null}
      onClose={onClose}
      title={shown === null ? '' : say('detail.title', { period: month(shown.period), scope: shown.label })}
    >
      {shown !== null && <PeriodFigures of={shown} />}
    </SidePanel>
  );
};
