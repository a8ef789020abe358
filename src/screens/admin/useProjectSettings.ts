import { useState } from 'react'
import { MOST_TESTERS } from '#core/api/calls/project.ts'
import type { ProjectConfig } from '#core/api/calls/project.ts'
import type { ApiError } from '#core/api/errors.ts'
import type { Result } from '#core/result.ts'
import { DEFAULT_ENROL_FIELDS } from '#core/study/enrolment.ts'
import { readTemplate } from '#core/study/patientNumber.ts'
import { useServerAction } from '#src/data/server.ts'

import { useTemplateRefusal } from './templateProblem.ts'

interface Typed extends Partial<Omit<ProjectConfig, 'minTesters'>> {
  /** As the field holds it; a text where it is no number. */
  readonly minTesters?: number | string
}

export type ProjectSettings = ReturnType<typeof useProjectSettings>

/** The settings of a project as they stand on the screen, and a function that saves the changed ones. */
export function useProjectSettings(projectId: string, config: ProjectConfig) {
  const act = useServerAction()
  const refused = useTemplateRefusal()
  const [typed, setTyped] = useState<Typed>({})
  const [busy, setBusy] = useState(false)
  const [result, setResult] = useState<Result<unknown, ApiError> | null>(null)
  const shown = { ...withDefaults(config), ...typed }
  const testers = testersOf(shown.minTesters)
  const isRight = testers !== null && readTemplate(shown.numberTemplate).ok
  const changed = changesOf(config, typed)

  const put = (change: Typed) => {
    setTyped({ ...typed, ...change })
    setResult(null)
  }
  const save = async () => {
    if (!isRight || busy) return
    setBusy(true)
    const answer = refused(await act('project.confUpdate', { body: { projectId, ...changed }, projectId }))
    setBusy(false)
    setResult(answer)
    if (answer.ok) setTyped({})
  }
  return { projectId, shown, put, save, busy, result, testers, isRight, isChanged: Object.keys(changed).length > 0 }
}

/** The settings in force: two of them are optional and have a default. */
function withDefaults(config: ProjectConfig) {
  return {
    ...config,
    warningReason: config.warningReason ?? 'Y',
    enrolFields: config.enrolFields ?? DEFAULT_ENROL_FIELDS,
  }
}

/**
 * The settings that differ from the server. The others are left out of the call, because somebody else may be changing
 * them.
 */
function changesOf(config: ProjectConfig, typed: Typed): Partial<ProjectConfig> {
  const { isDouble, isFilterPeriod, minTesters, numberTemplate } = { ...config, ...typed }
  const { warningReason, enrolFields } = typed
  const testers = testersOf(minTesters)
  return {
    ...(isDouble === config.isDouble ? {} : { isDouble }),
    ...(isFilterPeriod === config.isFilterPeriod ? {} : { isFilterPeriod }),
    ...(testers === null || testers === config.minTesters ? {} : { minTesters: testers }),
    ...(numberTemplate === config.numberTemplate ? {} : { numberTemplate }),
    ...(warningReason === undefined || warningReason === (config.warningReason ?? 'Y') ? {} : { warningReason }),
    ...(enrolFields === undefined || JSON.stringify(enrolFields) === JSON.stringify(config.enrolFields)
      ? {}
      : { enrolFields: [...enrolFields] }),
  }
}

/** The number of testers in the field; null where it is no valid number. */
function testersOf(typed: number | string): number | null {
  return typeof typed === 'number' && Number.isInteger(typed) && typed >= 0 && typed <= MOST_TESTERS ? typed : null
}
