import { Checkbox, Group, Select, Stack, Text } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { VersionRecord } from '#core/api/calls/version.ts'
import { isSame, versionDifference } from '#core/design/difference/versionDifference.ts'
import type { VersionDifference } from '#core/design/difference/versionDifference.ts'
import type { VersionRow } from '#core/api/sync/rows.ts'
import { useServerQuery } from '#src/data/server.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { Loaded } from '#src/ui/Loaded.tsx'
import { useLanguage } from '#src/ui/words/useLanguage.ts'
import { Sheet } from '#src/ui/dialogs/Sheet.tsx'

import { DifferenceTables } from './DifferenceTables.tsx'

interface DifferenceDialogProps {
  readonly projectId: string
  /** All versions that can be compared, the newest first. */
  readonly versions: readonly VersionRecord[]
  /** The version that the user chose; it is compared with the one from which it was made. */
  readonly version: VersionRecord
  readonly onClose: () => void
}

/**
 * The differences between two versions, side by side: visits, pages and fields, and what they mean for entered data.
 */
export function DifferenceDialog({ projectId, versions, version, onClose }: DifferenceDialogProps) {
  const { t } = useTranslation(['versions', 'common'])
  const kept = versions.filter(({ deleted }) => !deleted)
  const earlier =
    kept.find(({ id }) => id === version.baseId) ??
    kept.find(({ versionNo }) => versionNo < version.versionNo) ??
    version
  const [fromId, setFrom] = useState(earlier.id)
  const [toId, setTo] = useState(version.id)
  const data = kept.map(({ id, versionNoDesc, remark }) => ({
    value: id,
    label: remark === null ? versionNoDesc : `${versionNoDesc} · ${remark}`,
  }))
  return (
    <Sheet isTall onClose={onClose} title={t('diff.title')} size="min(1125px, 96vw)">
      <Stack>
        <Group grow preventGrowOverflow={false} align="start">
          <Select
            size="md"
            allowDeselect={false}
            label={t('diff.from')}
            data={data}
            value={fromId}
            onChange={(id) => setFrom(id ?? fromId)}
            data-autofocus
          />
          <Select
            size="md"
            allowDeselect={false}
            label={t('diff.to')}
            data={data}
            value={toId}
            onChange={(id) => setTo(id ?? toId)}
          />
        </Group>
        {fromId === toId ? (
          <Text>{t('diff.choose')}</Text>
        ) : (
          <Compared key={`${fromId} ${toId}`} projectId={projectId} fromId={fromId} toId={toId} />
        )}
      </Stack>
    </Sheet>
  )
}

function Compared({
  projectId,
  fromId,
  toId,
}: {
  readonly projectId: string
  readonly fromId: string
  readonly toId: string
}) {
  const from = useServerQuery('version.detail', { params: { id: fromId }, projectId })
  const to = useServerQuery('version.detail', { params: { id: toId }, projectId })
  return (
    <Loaded of={from} rows={6}>
      {(before) => (
        <Loaded of={to} rows={6}>
          {(after) => <Differences before={before} after={after} />}
        </Loaded>
      )}
    </Loaded>
  )
}

function Differences({ before, after }: { readonly before: VersionRow; readonly after: VersionRow }) {
  const { t } = useTranslation('versions')
  const language = useLanguage()
  const [onlyValues, setOnlyValues] = useState(false)
  const difference = useMemo(() => versionDifference(before, after, language), [before, after, language])
  if (isSame(difference)) return <EmptyState title={t('diff.same')} text="" />
  const shown = onlyValues ? concerningValues(difference) : difference
  return (
    <Stack>
      <output>{t('diff.counts', countsOf(difference))}</output>
      <Checkbox
        size="md"
        label={t('diff.onlyValues')}
        checked={onlyValues}
        onChange={(event) => setOnlyValues(event.currentTarget.checked)}
      />
      {isSame(shown) ? <Text>{t('diff.nothingHeavy')}</Text> : <DifferenceTables difference={shown} />}
    </Stack>
  )
}

/** How many pages and fields differ, and how many changes affect values. */
function countsOf({ folders, pages }: VersionDifference): {
  readonly pages: number
  readonly fields: number
  readonly values: number
} {
  const fields = pages.filter(({ fate }) => fate === 'changed').flatMap((page) => page.fields)
  const heavy = [
    ...folders,
    ...pages.filter(({ fate }) => fate !== 'changed'),
    ...pages.flatMap(({ changes }) => changes),
    ...fields,
  ].filter(({ weight }) => weight === 'values')
  return { pages: pages.length, fields: fields.length, values: heavy.length }
}

function concerningValues({ folders, pages }: VersionDifference): VersionDifference {
  const isHeavy = ({ weight }: { readonly weight: string }) => weight === 'values'
  return {
    order: null,
    folders: folders.filter(isHeavy),
    pages: pages
      .filter(isHeavy)
      .map((page) => ({ ...page, changes: page.changes.filter(isHeavy), fields: page.fields.filter(isHeavy) })),
  }
}
