import { ActionIcon, Group, NumberInput, Select } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { CenterRow } from '#core/api/sync/rows.ts'

import classes from './plan.module.css'
import { faultsOf } from './planDraft.ts'
import type { PlanDraft, SampleDraft } from './planDraft.ts'

interface SampleFieldsProps {
  readonly sample: SampleDraft
  readonly onChange: (change: Partial<SampleDraft>) => void
}

/** Of how many subjects everything is verified: by a draw, and the first of a center. */
export function SampleFields({ sample, onChange }: SampleFieldsProps) {
  const { t } = useTranslation('review')
  const faults = faultsOf(sample)
  return (
    <Group gap="md" align="flex-start">
      <NumberInput
        size="md"
        w={180}
        label={t('plan.share')}
        suffix=" %"
        min={0}
        max={100}
        decimalScale={2}
        clampBehavior="none"
        allowNegative={false}
        value={sample.sharePercent}
        error={faults.share ? t('plan.fault.share') : null}
        onChange={(sharePercent) => onChange({ sharePercent })}
      />
      <NumberInput
        size="md"
        w={180}
        label={t('plan.first')}
        min={0}
        max={100_000}
        allowDecimal={false}
        allowNegative={false}
        clampBehavior="none"
        value={sample.firstOfCenter}
        error={faults.first ? t('plan.fault.first') : null}
        onChange={(firstOfCenter) => onChange({ firstOfCenter })}
      />
    </Group>
  )
}

interface CenterSamplesProps {
  readonly draft: PlanDraft
  readonly centers: readonly CenterRow[]
  readonly put: (change: Partial<PlanDraft>) => void
}

/** Centers of which more or less is verified than of the others. */
export function CenterSamples({ draft, centers, put }: CenterSamplesProps) {
  const { t } = useTranslation('review')
  const others = centers.filter(({ id }) => !draft.centers.some(({ centerId }) => centerId === id))
  const nameOf = (centerId: string) =>
    centers.find(({ id }) => id === centerId)?.centerName ?? t('plan.words.otherCenter')
  return (
    <>
      {draft.centers.map((own) => (
        <fieldset key={own.centerId} className={classes.center}>
          <legend>{nameOf(own.centerId)}</legend>
          <SampleFields
            sample={own}
            onChange={(change) =>
              put({ centers: draft.centers.map((one) => (one === own ? { ...own, ...change } : one)) })
            }
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            size="var(--zl-control)"
            aria-label={t('plan.removeCenter', { center: nameOf(own.centerId) })}
            onClick={() => put({ centers: draft.centers.filter((one) => one !== own) })}
          >
            <IconTrash size={18} aria-hidden="true" />
          </ActionIcon>
        </fieldset>
      ))}
      {others.length > 0 && (
        <Select
          size="md"
          maw={376}
          label={t('plan.addCenter')}
          placeholder={t('plan.chooseCenter')}
          searchable
          value={null}
          data={others.map(({ id, centerName }) => ({ value: id, label: centerName }))}
          onChange={(centerId) => {
            const { sharePercent, firstOfCenter } = draft
            if (centerId !== null) put({ centers: [...draft.centers, { centerId, sharePercent, firstOfCenter }] })
          }}
        />
      )}
    </>
  )
}
