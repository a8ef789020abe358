import { Button, Checkbox, Group, NumberInput, Stack, Switch, Text } from '@mantine/core'
import type { FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { useOutletContext } from 'react-router-dom'
import { MOST_TESTERS } from '#core/api/calls/project.ts'
import type { ProjectConfig } from '#core/api/calls/project.ts'
import { DEFAULT_ENROL_FIELDS, ENROL_FIELDS } from '#core/study/enrolment.ts'
import type { WorkspacePlace } from '#src/frame/layouts/workspacePlace.ts'
import { useServerQuery } from '#src/data/server.ts'
import { FactList } from '#src/ui/FactList.tsx'
import { Loaded } from '#src/ui/Loaded.tsx'
import { Note } from '#src/ui/Note.tsx'
import { PageFrame, Panel } from '#src/ui/PageFrame.tsx'
import { useErrorText } from '#src/ui/words/errorText.ts'

import { NumberTemplateField } from './NumberTemplateField.tsx'
import { useProjectSettings } from './useProjectSettings.ts'
import type { ProjectSettings } from './useProjectSettings.ts'

/** How a project works: double entry, visits outside of their window, testers, subject numbers. */
export function ProjectConfScreen() {
  const { project } = useOutletContext<WorkspacePlace>()
  const { t } = useTranslation('admin')
  // Read from the server, because a tablet may remember older settings.
  const settings = useServerQuery('project.confDetail', { query: { projectId: project.id }, projectId: project.id })
  return (
    <PageFrame title={t('conf.title')}>
      <Panel>
        <Loaded of={settings} rows={6}>
          {(config) =>
            project.projectStatus === 'close' ? (
              <Ended config={config} />
            ) : (
              <Settings projectId={project.id} config={config} />
            )
          }
        </Loaded>
      </Panel>
    </PageFrame>
  )
}

/** The settings of a project that has ended, which nobody can change any more. */
function Ended({ config }: { readonly config: ProjectConfig }) {
  const { t } = useTranslation('admin')
  const yesOrNo = (is: boolean) => (is ? t('info.yes') : t('info.no'))
  return (
    <Stack>
      <Note tone="info">{t('conf.ended')}</Note>
      <FactList
        facts={[
          [t('conf.double'), yesOrNo(config.isDouble === 1)],
          [t('conf.window'), yesOrNo(config.isFilterPeriod === 'Y')],
          [t('conf.testers'), String(config.minTesters)],
          [t('template.name'), config.numberTemplate],
          [t('conf.warningReason'), yesOrNo(config.warningReason !== 'N')],
          [
            t('conf.enrolFields'),
            (config.enrolFields ?? DEFAULT_ENROL_FIELDS).map((field) => t(`conf.enrolField.${field}`)).join('、'),
          ],
        ]}
      />
    </Stack>
  )
}

function Settings({ projectId, config }: { readonly projectId: string; readonly config: ProjectConfig }) {
  const { t } = useTranslation('admin')
  const settings = useProjectSettings(projectId, config)
  const { save, busy, isRight, isChanged } = settings
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void save()
  }
  return (
    <form noValidate onSubmit={submit}>
      <Stack gap="lg">
        <RunningFields settings={settings} />
        <NumberingField settings={settings} />
        <EnteringFields settings={settings} />
        <SaveOutcome settings={settings} />
        <Group>
          <Button type="submit" size="md" loading={busy} disabled={!isRight || !isChanged}>
            {t('conf.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

interface PartProps {
  readonly settings: ProjectSettings
}

/** Double entry, visits outside of their window, and how many people must have tested a version. */
function RunningFields({ settings: { shown, put, testers } }: PartProps) {
  const { t } = useTranslation('admin')
  return (
    <>
      <Switch
        size="md"
        label={t('conf.double')}
        aria-label={t('conf.double')}
        description={t('conf.doubleHint')}
        checked={shown.isDouble === 1}
        onChange={(event) => put({ isDouble: event.currentTarget.checked ? 1 : 0 })}
      />
      <Switch
        size="md"
        label={t('conf.window')}
        aria-label={t('conf.window')}
        description={t('conf.windowHint')}
        checked={shown.isFilterPeriod === 'Y'}
        onChange={(event) => put({ isFilterPeriod: event.currentTarget.checked ? 'Y' : 'N' })}
      />
      <NumberInput
        size="md"
        maw={480}
        required
        label={t('conf.testers')}
        description={t('conf.testersHint', { most: MOST_TESTERS })}
        min={0}
        max={MOST_TESTERS}
        clampBehavior="none"
        allowDecimal={false}
        allowNegative={false}
        value={shown.minTesters}
        error={testers === null ? t('conf.testersWrong', { most: MOST_TESTERS }) : null}
        onChange={(value) => put({ minTesters: value })}
      />
    </>
  )
}

/** The template of subject numbers. */
function NumberingField({ settings: { projectId, shown, put } }: PartProps) {
  const { t } = useTranslation('admin')
  return (
    <div>
      <NumberTemplateField
        projectId={projectId}
        centerId={null}
        value={shown.numberTemplate}
        onChange={(value) => put({ numberTemplate: value })}
      />
      <Text size="sm" c="dimmed" mt="xs">
        {t('template.text')}
      </Text>
    </div>
  )
}

/** What is required of people who enter data: a reason for a confirmed warning, and the fields of an enrolment. */
function EnteringFields({ settings: { shown, put } }: PartProps) {
  const { t } = useTranslation('admin')
  return (
    <>
      <Switch
        size="md"
        label={t('conf.warningReason')}
        aria-label={t('conf.warningReason')}
        description={t('conf.warningReasonHint')}
        checked={shown.warningReason === 'Y'}
        onChange={(event) => put({ warningReason: event.currentTarget.checked ? 'Y' : 'N' })}
      />
      <Checkbox.Group
        size="md"
        label={t('conf.enrolFields')}
        description={t('conf.enrolFieldsHint')}
        value={[...shown.enrolFields]}
        onChange={(chosen) => put({ enrolFields: ENROL_FIELDS.filter((field) => chosen.includes(field)) })}
      >
        <Group mt="xs">
          {ENROL_FIELDS.map((field) => (
            <Checkbox key={field} size="md" value={field} label={t(`conf.enrolField.${field}`)} />
          ))}
        </Group>
      </Checkbox.Group>
    </>
  )
}

function SaveOutcome({ settings: { result } }: PartProps) {
  const { t } = useTranslation('admin')
  const errorText = useErrorText()
  if (result === null) return null
  return result.ok ? (
    <Note key="saved" tone="done" live>
      {t('conf.saved')}
    </Note>
  ) : (
    <Note key="failed" tone="error" live>
      {errorText(result.error)}
    </Note>
  )
}
