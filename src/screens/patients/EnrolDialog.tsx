import { Button, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import type { CenterRow, ProjectRow } from '#core/api/sync/rows.ts'
import { AskPassword } from '#src/frame/AskPassword.tsx'
import { casebookPath } from '#src/paths/screenPaths.ts'
import { FactList } from '#src/ui/FactList.tsx'
import { Note } from '#src/ui/Note.tsx'
import { useErrorText } from '#src/ui/words/errorText.ts'
import { Sheet, SheetFoot } from '#src/ui/dialogs/Sheet.tsx'

import { EnrolForm } from './EnrolForm.tsx'
import { enrolmentOf } from './enrolment.ts'
import type { EnrolmentValues } from './enrolment.ts'
import { useEnrolment } from './useEnrolment.ts'
import type { Enrolment } from './useEnrolment.ts'

interface EnrolDialogProps {
  readonly project: ProjectRow
  readonly centers: readonly CenterRow[]
  readonly onClose: () => void
}

/** Enrols a patient on this device. Asks the network only where the center is not kept here. */
export function EnrolDialog({ project, centers, onClose }: EnrolDialogProps) {
  const { t } = useTranslation(['patients', 'common'])
  const enrolment = useEnrolment(project, centers)
  const { look, enrolled } = enrolment
  return (
    <Sheet
      onClose={onClose}
      title={t(look !== null && enrolled === null ? 'enrol.look' : 'enrol.title')}
      // Once the patient is enrolled, a click outside loses nothing any more.
      {...(enrolled === null ? { size: 'lg', closesOnTapBeside: false } : {})}
    >
      {enrolled !== null ? (
        <EnrolDone projectId={project.id} enrolled={enrolled} onClose={onClose} />
      ) : look !== null ? (
        <EnrolLook enrolment={enrolment} look={look} />
      ) : (
        <EnrolForm enrolment={enrolment} onClose={onClose} />
      )}
    </Sheet>
  )
}

/** A last check of what was typed, before a subject number is spent. */
function EnrolLook({ enrolment, look }: { readonly enrolment: Enrolment; readonly look: EnrolmentValues }) {
  const { t } = useTranslation('patients')
  const errorText = useErrorText()
  const { project, centers, mayIdentify, setLook, enrol, busy, error } = enrolment
  const { enrolledOn, identity } = enrolmentOf(project.id, look)
  return (
    <Stack>
      {error?.code === 'vault_locked' && (
        <Note tone="info" live title={t('enrol.locked')}>
          <AskPassword submit={t('enrol.unlock')} onOpened={() => void enrol(look)} />
        </Note>
      )}
      {error !== null && error.code !== 'vault_locked' && (
        <Note tone="error" live>
          {t('enrol.failed', { reason: errorText(error) })}
        </Note>
      )}
      <Text>{t('enrol.lookText')}</Text>
      <FactList
        facts={[
          ...(centers.length > 1
            ? [[t('enrol.center'), centers.find(({ id }) => id === look.centerId)?.centerName ?? ''] as const]
            : []),
          [t('enrol.initials'), look.initials],
          [t('enrol.sex'), look.sex === '' ? '' : t(`sex.${look.sex}`)],
          [t('enrol.enrolledOn'), enrolledOn ?? ''],
          ...(mayIdentify
            ? ([
                [t('enrol.name'), look.name],
                [t('enrol.mobile'), look.mobile],
                [t('enrol.birthDate'), identity.birthDate ?? ''],
              ] as const)
            : []),
        ]}
      />
      <SheetFoot>
        <Button size="md" variant="default" onClick={() => setLook(null)}>
          {t('enrol.back')}
        </Button>
        <Button size="md" data-autofocus loading={busy} onClick={() => void enrol(look)}>
          {t('enrol.submit')}
        </Button>
      </SheetFoot>
    </Stack>
  )
}

interface EnrolDoneProps {
  readonly projectId: string
  readonly enrolled: NonNullable<Enrolment['enrolled']>
  readonly onClose: () => void
}

/** The number of the new patient, and the link to the casebook. */
function EnrolDone({ projectId, enrolled, onClose }: EnrolDoneProps) {
  const { t } = useTranslation('patients')
  const navigate = useNavigate()
  return (
    <Stack>
      <Note tone="done" live>
        {t('enrol.done', { no: enrolled.label })}
      </Note>
      <SheetFoot>
        <Button size="md" variant="default" onClick={onClose}>
          {t('enrol.close')}
        </Button>
        <Button size="md" data-autofocus onClick={() => void navigate(casebookPath(projectId, enrolled.patientId))}>
          {t('enrol.fill')}
        </Button>
      </SheetFoot>
    </Stack>
  )
}
