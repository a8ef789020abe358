import { Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Design, DesignFolder } from '#core/design/design.ts'
import type { FolderSchedule, PlannedSchedule } from '#core/study/visits/visitPlan.ts'
import type { DesignEditor } from '#src/screens/design/designEditor.ts'
import { useNames } from '#src/ui/words/useNames.ts'

import {
  ChoiceProperty,
  CodeProperty,
  FilledProperty,
  FlagProperty,
  NumberProperty,
  TextProperty,
  orNone,
} from './inputs.tsx'

interface FolderPropertiesProps {
  readonly editor: DesignEditor
  readonly design: Design
  readonly folder: DesignFolder
}

const FARTHEST = 36_500

/** A visit: its name, its code, and when it takes place. */
export function FolderProperties({ editor, design, folder }: FolderPropertiesProps) {
  const { t } = useTranslation('design')
  const { id, folderName, folderNameEn, folderCode, schedule } = folder
  const plan = (next: FolderSchedule | null) =>
    editor.edit({ kind: 'folder-set', folderId: id, patch: { schedule: next } })
  const others = design.folders.filter((one) => one.id !== id)
  const kind = schedule?.kind ?? 'none'
  return (
    <Stack gap="sm">
      <FilledProperty
        first
        label={t('props.folderName')}
        value={folderName}
        onChange={(next) => editor.edit({ kind: 'folder-set', folderId: id, patch: { folderName: next } })}
      />
      <TextProperty
        label={t('props.nameEn')}
        value={folderNameEn ?? ''}
        max={200}
        onChange={(next) => editor.edit({ kind: 'folder-set', folderId: id, patch: { folderNameEn: orNone(next) } })}
      />
      <CodeProperty
        value={folderCode}
        taken={new Set(others.map((one) => one.folderCode))}
        onChange={(code) => editor.edit({ kind: 'folder-code', folderId: id, code })}
      />
      <ChoiceProperty
        label={t('props.plan')}
        value={kind}
        options={(['none', 'planned', 'unscheduled', 'log'] as const).map((value) => ({
          value,
          label: t(`props.plans.${value}`),
        }))}
        onChange={(next) =>
          plan(
            next === 'none'
              ? null
              : next === 'planned'
                ? { kind: 'planned', anchor: { of: 'enrolment' }, day: 0, before: 0, after: 0, repeating: false }
                : { kind: next },
          )
        }
      />
      {schedule?.kind === 'planned' && <Plan schedule={schedule} others={others} onChange={plan} />}
    </Stack>
  )
}

function Plan({
  schedule,
  others,
  onChange,
}: {
  readonly schedule: PlannedSchedule
  readonly others: readonly DesignFolder[]
  readonly onChange: (next: FolderSchedule) => void
}) {
  const names = useNames()
  const { t } = useTranslation('design')
  const { anchor } = schedule
  const set = (patch: Partial<PlannedSchedule>) => onChange({ ...schedule, ...patch })
  const anchors = [
    { value: '', label: t('props.anchorEnrolment') },
    ...others.map((other) => ({ value: other.folderCode, label: names.visit(other) })),
  ]
  return (
    <>
      <ChoiceProperty
        label={t('props.anchor')}
        value={anchor.of === 'visit' ? anchor.folderCode : ''}
        options={anchors}
        onChange={(next) =>
          set({
            anchor:
              next === ''
                ? { of: 'enrolment' }
                : { of: 'visit', folderCode: next, date: anchor.of === 'visit' ? anchor.date : 'actual' },
          })
        }
      />
      {anchor.of === 'visit' && (
        <ChoiceProperty
          label={t('props.anchorDate')}
          value={anchor.date}
          options={(['actual', 'planned'] as const).map((value) => ({ value, label: t(`props.anchorDates.${value}`) }))}
          onChange={(date) => set({ anchor: { ...anchor, date } })}
        />
      )}
      <NumberProperty
        label={t('props.day')}
        value={schedule.day}
        min={-FARTHEST}
        max={FARTHEST}
        onChange={(day) => set({ day: days(day) })}
      />
      <NumberProperty
        label={t('props.before')}
        value={schedule.before}
        min={0}
        max={FARTHEST}
        onChange={(before) => set({ before: days(before) })}
      />
      <NumberProperty
        label={t('props.after')}
        value={schedule.after}
        min={0}
        max={FARTHEST}
        onChange={(after) => set({ after: days(after) })}
      />
      <FlagProperty
        label={t('props.repeatingVisit')}
        value={schedule.repeating}
        onChange={(repeating) => set({ repeating })}
      />
    </>
  )
}

/** Whole days, within the limits of a plan. */
function days(value: number | undefined): number {
  return Math.max(-FARTHEST, Math.min(FARTHEST, Math.round(value ?? 0)))
}
