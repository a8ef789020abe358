import { Button, Checkbox, Group, Radio, Stack, Text, Textarea } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CenterRow, VersionRow } from '#core/api/sync/rows.ts'
import type { ReviewPlan } from '#core/review/reviewPlan.ts'
import type { ReviewTrack } from '#core/review/verification.ts'
import { useServerQuery } from '#src/data/server.ts'
import { Loaded } from '#src/ui/Loaded.tsx'
import { Note } from '#src/ui/Note.tsx'
import { Panel } from '#src/ui/PageFrame.tsx'
import { FieldPicker } from '#src/ui/fieldPicker/FieldPicker.tsx'
import { ConfirmDialog } from '#src/ui/dialogs/ConfirmDialog.tsx'
import { useNames } from '#src/ui/words/useNames.ts'

import { CoverageTable } from './CoverageTable.tsx'
import { CenterSamples, SampleFields } from './SampleFields.tsx'
import { SwitchDialog } from './SwitchDialog.tsx'
import classes from './plan.module.css'
import { isNothing, newSeed, planOf } from './planDraft.ts'
import type { PlanDraft } from './planDraft.ts'
import { pickedFields, plannedKey } from './plannablePages.ts'
import { usePlannablePages } from './usePlanFacts.ts'

interface PlanEditorProps {
  readonly projectId: string
  readonly track: ReviewTrack
  readonly draft: PlanDraft
  readonly setDraft: (draft: PlanDraft | null) => void
  readonly centers: readonly CenterRow[]
  readonly version: VersionRow | null
}

/** The next version of a plan while it is made. It asks nothing of anybody until it is switched on. */
export function PlanEditor({ projectId, track, draft, setDraft, centers, version }: PlanEditorProps) {
  const { t } = useTranslation('review')
  const [isThrowing, setThrowing] = useState(false)
  const put = (change: Partial<PlanDraft>) => setDraft({ ...draft, ...change })
  return (
    <Stack gap="md">
      <Note tone="info">{t('plan.making', { track: t(`track.${track}`) })}</Note>
      <Panel title={t('plan.critical')}>
        <Critical draft={draft} version={version} put={put} />
      </Panel>
      <Panel title={t('plan.sample')}>
        <Stack gap="md">
          <Text size="sm" c="dimmed">
            {t('plan.sampleHint')}
          </Text>
          <SampleFields sample={draft} onChange={put} />
          <Visits draft={draft} version={version} put={put} />
          {centers.length > 1 && <CenterSamples draft={draft} centers={centers} put={put} />}
          <Seed draft={draft} put={put} />
        </Stack>
      </Panel>
      <Decision {...{ projectId, track, draft, put }} onDone={() => setDraft(null)} onThrow={() => setThrowing(true)} />
      <ConfirmDialog
        opened={isThrowing}
        title={t('plan.discard.title')}
        text={t('plan.discard.text')}
        submit={t('plan.discard.submit')}
        danger
        onConfirm={() => setDraft(null)}
        onClose={() => setThrowing(false)}
      />
    </Stack>
  )
}

interface PartProps {
  readonly draft: PlanDraft
  readonly put: (change: Partial<PlanDraft>) => void
}

function Critical({ draft, version, put }: PartProps & Pick<PlanEditorProps, 'version'>) {
  const { t } = useTranslation('review')
  const pages = usePlannablePages(version)
  const known = new Set(pages.flatMap(({ fields }) => fields.map(plannedKey)))
  const gone = draft.critical.filter((field) => !known.has(plannedKey(field)))
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {t('plan.criticalHint')}
      </Text>
      <FieldPicker
        label={t('plan.critical')}
        pages={pages}
        chosen={new Set(draft.critical.map(plannedKey))}
        onChange={(keys) => put({ critical: pickedFields(draft.critical, pages, keys) })}
      />
      <output className={classes.none}>{t('plan.pick.chosen', { count: draft.critical.length })}</output>
      {gone.length > 0 && version !== null && (
        <Note tone="warning" title={t('plan.words.goneFields')}>
          {gone.map(({ code }) => code).join(t('plan.words.comma'))}{' '}
          <Button
            size="compact-sm"
            variant="subtle"
            onClick={() => put({ critical: draft.critical.filter((field) => known.has(plannedKey(field))) })}
          >
            {t('plan.pick.removeGone')}
          </Button>
        </Note>
      )}
    </Stack>
  )
}

function Visits({ draft, version, put }: PartProps & Pick<PlanEditorProps, 'version'>) {
  const { t } = useTranslation('review')
  const names = useNames()
  const folders = version?.folders ?? []
  return (
    <>
      <Radio.Group
        label={t('plan.visits')}
        size="md"
        value={draft.folders === null ? 'all' : 'chosen'}
        onChange={(value) => put({ folders: value === 'all' ? null : folders.map(({ id }) => id) })}
      >
        <Group mt="xs">
          <Radio size="md" value="all" label={t('plan.allVisits')} />
          <Radio size="md" value="chosen" label={t('plan.someVisits')} />
        </Group>
      </Radio.Group>
      {draft.folders !== null && (
        <Checkbox.Group
          size="md"
          aria-label={t('plan.someVisits')}
          value={[...draft.folders]}
          onChange={(chosen) => put({ folders: folders.map(({ id }) => id).filter((id) => chosen.includes(id)) })}
        >
          <Group>
            {folders.map((folder) => (
              <Checkbox key={folder.id} size="md" value={folder.id} label={names.visit(folder)} />
            ))}
          </Group>
        </Checkbox.Group>
      )}
    </>
  )
}

/** What the draw begins with. It can be renewed, and the reader is told what that does. */
function Seed({ draft, put }: PartProps) {
  const { t } = useTranslation('review')
  const [isRenewed, setRenewed] = useState(false)
  return (
    <div>
      <Group gap="xs">
        <span className={classes.label}>{t('plan.seed')}</span>
        <code>{draft.seed}</code>
        <Button
          size="compact-md"
          h="var(--zl-control)"
          variant="subtle"
          leftSection={<IconRefresh size={18} aria-hidden="true" />}
          onClick={() => {
            put({ seed: newSeed() })
            setRenewed(true)
          }}
        >
          {t('plan.renew')}
        </Button>
      </Group>
      <output className={classes.none}>{t(isRenewed ? 'plan.renewed' : 'plan.seedHint')}</output>
    </div>
  )
}

interface DecisionProps extends PartProps, Pick<PlanEditorProps, 'projectId' | 'track'> {
  readonly onDone: () => void
  readonly onThrow: () => void
}

/** Why, what it would ask for, and the switch. */
function Decision({ projectId, track, draft, put, onDone, onThrow }: DecisionProps) {
  const { t } = useTranslation('review')
  const [asked, setAsked] = useState<ReviewPlan | null>(null)
  const [isSwitching, setSwitching] = useState(false)
  const [isTried, setTried] = useState(false)
  const plan = planOf(draft)
  const lacksNote = draft.note.trim() === ''
  const isWrong = plan === null || isNothing(plan)
  return (
    <Panel title={t('plan.coverage.title')}>
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {t('plan.coverage.hint')}
        </Text>
        {asked !== null && <Coverage {...{ projectId, track }} plan={asked} isOld={!isSame(asked, plan)} />}
        <Textarea
          size="md"
          required
          autosize
          minRows={2}
          maxLength={1000}
          label={t('plan.note')}
          description={t('plan.noteHint')}
          value={draft.note}
          error={isTried && lacksNote ? t('plan.fault.note') : null}
          onChange={(event) => put({ note: event.currentTarget.value })}
        />
        {isTried && isWrong && (
          <Note tone="error" live>
            {t(plan === null ? 'plan.fault.values' : 'plan.fault.nothing')}
          </Note>
        )}
        <Group>
          <Button
            size="md"
            onClick={() => {
              setTried(true)
              if (!isWrong && !lacksNote) setSwitching(true)
            }}
          >
            {t('plan.switch')}
          </Button>
          <Button
            size="md"
            variant="default"
            onClick={() => {
              setTried(plan === null)
              setAsked(plan)
            }}
          >
            {t('plan.coverage.count')}
          </Button>
          <Button size="md" variant="subtle" color="gray" onClick={onThrow}>
            {t('plan.discard.open')}
          </Button>
        </Group>
      </Stack>
      {isSwitching && plan !== null && (
        <SwitchDialog {...{ projectId, track, plan, onDone }} note={draft.note} onClose={() => setSwitching(false)} />
      )}
    </Panel>
  )
}

interface CoverageProps extends Pick<PlanEditorProps, 'projectId' | 'track'> {
  readonly plan: ReviewPlan
  /** Whether the plan is another one by now. */
  readonly isOld: boolean
}

function Coverage({ projectId, track, plan, isOld }: CoverageProps) {
  const { t } = useTranslation('review')
  const coverage = useServerQuery('review.planCoverage', { body: { projectId, track, plan }, projectId })
  return (
    <div aria-live="polite">
      <Loaded of={coverage} rows={4}>
        {(value) => <CoverageTable coverage={value} />}
      </Loaded>
      {isOld && <Note tone="warning">{t('plan.coverage.old')}</Note>}
    </div>
  )
}

function isSame(one: ReviewPlan, other: ReviewPlan | null): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
