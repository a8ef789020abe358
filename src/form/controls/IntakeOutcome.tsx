import { laterPart } from '#src/parts/laterPart.tsx'
import { NotLoaded } from '#src/ui/NotLoaded.tsx'

import form from '../form.module.css'
import type { FormWords } from '../words.ts'
import classes from './upload.module.css'
import type { useFileIntake } from './useIntake.ts'

const RedactDialog = laterPart(
  async () => (await import('./RedactDialog.tsx')).RedactDialog,
  ({ onCancel }) => <NotLoaded onClose={onCancel} />,
)

interface IntakeOutcomeProps {
  readonly intake: Pick<
    ReturnType<typeof useFileIntake>,
    'said' | 'busy' | 'reviewing' | 'dropReviewed' | 'keepReviewed'
  >
  readonly t: FormWords
}

/** What became of the files that were chosen, and the picture that is looked through before it is kept. */
export function IntakeOutcome({ intake, t }: IntakeOutcomeProps) {
  const { said, busy, reviewing, dropReviewed, keepReviewed } = intake
  return (
    <>
      <output className={said === null ? form.hiddenText : said.bad ? classes.bad : form.hint}>
        {busy ? t('files.saving') : said?.text}
      </output>
      {reviewing !== null && (
        <RedactDialog
          name={reviewing.name}
          content={reviewing.content}
          t={t}
          onCancel={dropReviewed}
          onKeep={(regions) => keepReviewed(reviewing, regions)}
        />
      )}
    </>
  )
}
