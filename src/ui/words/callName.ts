import { useTranslation } from 'react-i18next'
import type { QueueableCall } from '#core/sync/protocol/operation.ts'
import { queueableCalls } from '#core/sync/protocol/operation.ts'

// A dot in a text's key would mean a nested key.
const keys = {
  'patient.save': 'patientSave',
  'patient.update': 'patientUpdate',
  'patient.remove': 'patientRemove',
  'visit.save': 'visitSave',
  'visit.update': 'visitUpdate',
  'visit.remove': 'visitRemove',
  'folder.config': 'folderConfig',
  'folder.remove': 'folderRemove',
  'entry.save': 'entrySave',
  'entry.smartSave': 'entrySmartSave',
  'entry.submit': 'entrySubmit',
  'entry.insert': 'entryInsert',
  'entry.smartInsert': 'entrySmartInsert',
  'entry.delete': 'entryDelete',
  'conflict.resolve': 'conflictResolve',
  'query.raise': 'queryRaise',
  'query.act': 'queryAct',
} as const satisfies Record<QueueableCall, string>

/** Names an operation as people call it. */
export function useCallName(): (call: string) => string {
  const { t } = useTranslation('device')
  return (call) => {
    const known = queueableCalls.find((name) => name === call)
    return t(`call.${known === undefined ? 'other' : keys[known]}`)
  }
}
