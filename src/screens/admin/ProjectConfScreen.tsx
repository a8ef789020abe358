import { Button, Checkbox, Group, NumberInput, Stack, Switch, Text } from '@mantine/core'
import { useState } from 'react'
import type { FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { useOutletContext } from 'react-router-dom'
import { MOST_TESTERS } from '#core/api/calls/project.ts'
import type { ProjectConfig } from '#core/api/calls/project.ts'
import type { ApiError } from '#core/api/errors.ts'
import type { Result } from '#core/result.ts'
import { DEFAULT_ENROL_FIELDS, ENROL_FIELDS } from '#core/study/enrolment.ts'
import { readTemplate } from '#core/study/patientNumber.ts'
import type { WorkspacePlace } from '#src/frame/layouts/workspacePlace.ts'
import { useServerAction, useServerQuery } from '#src/data/server.ts'
import { FactList } from '#src/ui/FactList.tsx'
import { Loaded } from '#src/ui/Loaded.tsx'
import { Note } from '#src/ui/Note.tsx'
import { PageFrame, Panel } from '#src/ui/PageFrame.tsx'
import { useErrorText } from '#src/ui/words/errorText.ts'

import { NumberTemplateField } from './NumberTemplateField.tsx'
import { useTemplateRefusal } from './templateProblem.ts'

/** How a project is run: double entry, visits outside of their window, testers, subject numbers. */
export function ProjectConfScreen() {
  const { project } = useOutletContext<WorkspacePlace>()
  const { t } = useTranslation('admin')
  // As they are at the server now, not as a tablet remembers them.
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

/** The settings of a project that has ended: nobody changes them any more. */
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

interface Typed extends Partial<Omit<ProjectConfig, 'minTesters'>> {
  /** As it stands in the field; text where it is no number. */
  readonly minTesters?: number | string
}

function Settings({ projectId, config }: { readonly projectId: string; readonly config: ProjectConfig }) {
  const { t } = useTranslation('admin')
  const errorText = useErrorText()
  const act = useServerAction()
  const refused = useTemplateRefusal()
  const [typed, setTyped] = useState<Typed>({})
  const [busy, setBusy] = useState(false)
  const [result, setResult] = useState<Result<unknown, ApiError> | null>(null)
  const {
    isDouble,
    isFilterPeriod,
    minTesters,
    numberTemplate,
    warningReason = 'Y',
    enrolFields = DEFAULT_ENROL_FIELDS,
  } = { ...config, ...typed }
  const put = (change: Typed) => {
    setTyped({ ...typed, ...change })
    setResult(null)
  }
  const testers =
    typeof minTesters === 'number' && Number.isInteger(minTesters) && minTesters >= 0 && minTesters <= MOST_TESTERS
      ? minTesters
      : null
  // What is not changed here is left out: somebody else may be changing it meanwhile.
  const changed: Partial<ProjectConfig> = {
    ...(isDouble === config.isDouble ? {} : { isDouble }),
    ...(isFilterPeriod === config.isFilterPeriod ? {} : { isFilterPeriod }),
    ...(testers === null || testers === config.minTesters ? {} : { minTesters: testers }),
    ...(numberTemplate === config.numberTemplate ? {} : { numberTemplate }),
    ...(typed.warningReason === undefined || warningReason === (config.warningReason ?? 'Y') ? {} : { warningReason }),
    ...(typed.enrolFields === undefined || JSON.stringify(enrolFields) === JSON.stringify(config.enrolFields)
      ? {}
      : { enrolFields: [...enrolFields] }),
  }
  const isRight = testers !== null && readTemplate(numberTemplate).ok
  const save = async () => {
    setBusy(true)
    const answer = refused(await act('project.confUpdate', { body: { projectId, ...changed }, projectId }))
    setBusy(false)
    setResult(answer)
    if (answer.ok) setTyped({})
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isRight && !busy) void save()
  }
  return (
    <form noValidate onSubmit={submit}>
      <Stack gap="lg">
        <Switch
          size="md"
          label={t('conf.double')}
          aria-label={t('conf.double')}
          description={t('conf.doubleHint')}
          checked={isDouble === 1}
          onChange={(event) => put({ isDouble: event.currentTarget.checked ? 1 : 0 })}
        />
        <Switch
          size="md"
          label={t('conf.window')}
          aria-label={t('conf.window')}
          description={t('conf.windowHint')}
          checked={isFilterPeriod === 'Y'}
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
          value={minTesters}
          error={testers === null ? t('conf.testersWrong', { most: MOST_TESTERS }) : null}
          onChange={(value) => put({ minTesters: value })}
        />
        <div>
          <NumberTemplateField
            projectId={projectId}
            centerId={null}
            value={numberTemplate}
            onChange={(value) => put({ numberTemplate: value })}
          />
          <Text size="sm" c="dimmed" mt="xs">
            {t('template.text')}
          </Text>
        </div>
        <Switch
          size="md"
          label={t('conf.warningReason')}
          aria-label={t('conf.warningReason')}
          description={t('conf.warningReasonHint')}
          checked={warningReason === 'Y'}
          onChange={(event) => put({ warningReason: event.currentTarget.checked ? 'Y' : 'N' })}
        />
        <Checkbox.Group
          size="md"
          label={t('conf.enrolFields')}
          description={t('conf.enrolFieldsHint')}
          value={[...enrolFields]}
          onChange={(chosen) => put({ enrolFields: ENROL_FIELDS.filter((field) => chosen.includes(field)) })}
        >
          <Group mt="xs">
            {ENROL_FIELDS.map((field) => (
              <Checkbox key={field} size="md" value={field} label={t(`conf.enrolField.${field}`)} />
            ))}
          </Group>
        </Checkbox.Group>
        {result?.ok === true && (
          <Note tone="done" live>
            {t('conf.saved')}
          </Note>
        )}
        {result?.ok === false && (
          <Note tone="error" live>
            {errorText(result.error)}
          </Note>
        )}
        <Group>
          <Button type="submit" size="md" loading={busy} disabled={!isRight || Object.keys(changed).length === 0}>
            {t('conf.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
