import { Checkbox, MultiSelect, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { MemberDetail } from '#core/api/calls/project.ts'
import { headers } from '#core/api/headers.ts'
import { ok } from '#core/result.ts'
import { useServerAction, useServerQuery } from '#src/data/server.ts'
import type { PatientView } from '#src/data/shapes/types.ts'
import { Loaded } from '#src/ui/Loaded.tsx'
import { SubmitDialog } from '#src/ui/dialogs/SubmitDialog.tsx'

interface AssignDialogProps {
  readonly projectId: string
  readonly patient: PatientView
  readonly onClose: () => void
}

/**
 * The members and experts to whom a patient is assigned. Works online only, because the server decides what others may
 * see.
 */
export function AssignDialog({ projectId, patient, onClose }: AssignDialogProps) {
  const { t } = useTranslation(['patients', 'projects'])
  const team = useServerQuery('member.list', { query: { projectId, current: 1, size: 1000 }, projectId })
  const { stands, experts, setExperts, members, setMembers, notify, setNotify, save } = useAssignment(
    projectId,
    patient,
  )
  return (
    <SubmitDialog
      title={t('assign.title')}
      submit={t('assign.submit')}
      size="lg"
      onClose={onClose}
      onSubmit={() => (team.state === 'ready' ? save() : null)}
    >
      <Loaded of={team} rows={4}>
        {({ records }) => {
          // Whoever is assigned already stays visible, even if they could not be assigned now.
          const assigned = new Set([...stands.experts, ...stands.members])
          const choosable = records.filter((member) => assigned.has(member.id) || sees(member, patient.centerId))
          const choosableExperts = choosable.filter(isExpert)
          return (
            <Stack>
              <TeamSelect
                label={t('assign.experts')}
                hint={t(choosableExperts.length === 0 ? 'assign.noExperts' : 'assign.expertsHint')}
                disabled={choosableExperts.length === 0}
                choosable={choosableExperts}
                chosen={experts}
                onChange={setExperts}
              />
              <TeamSelect
                label={t('assign.members')}
                hint={t('assign.membersHint')}
                choosable={choosable.filter((member) => !isExpert(member))}
                chosen={members}
                onChange={setMembers}
              />
              <Checkbox
                size="md"
                label={t('assign.notify')}
                description={t('assign.notifyHint')}
                checked={notify}
                onChange={(event) => setNotify(event.currentTarget.checked)}
              />
              <Text size="sm" c="dimmed">
                {t('assign.booked')}
              </Text>
            </Stack>
          )
        }}
      </Loaded>
    </SubmitDialog>
  )
}

/** The members and experts that are chosen, and a function that saves what differs from the stored assignment. */
function useAssignment(projectId: string, patient: PatientView) {
  const act = useServerAction()
  // Choices are compared with what was stored when the dialog opened, or with what the last successful call stored.
  const [stands, setStands] = useState({ experts: patient.expertIds ?? [], members: patient.memIds ?? [] })
  const [experts, setExperts] = useState([...stands.experts])
  const [members, setMembers] = useState([...stands.members])
  const [notify, setNotify] = useState(false)

  const save = async () => {
    const said = { projectId, headers: { [headers.notify]: notify ? '1' : '0' } }
    if (!areSame(experts, stands.experts)) {
      const done = await act('patient.expertSave', { ...said, body: { patientId: patient.id, expertIds: experts } })
      if (!done.ok) return done
      setStands((before) => ({ ...before, experts }))
    }
    if (!areSame(members, stands.members)) {
      const done = await act('patient.memberSave', { ...said, body: { patientId: patient.id, memIds: members } })
      if (!done.ok) return done
    }
    return ok(true)
  }
  return { stands, experts, setExperts, members, setMembers, notify, setNotify, save }
}

interface TeamSelectProps {
  readonly label: string
  readonly hint: string
  readonly choosable: readonly MemberDetail[]
  readonly chosen: string[]
  readonly onChange: (chosen: string[]) => void
  readonly disabled?: boolean
}

/** A choice of team members, each with name, role and account. */
function TeamSelect({ label, hint, choosable, chosen, onChange, disabled = false }: TeamSelectProps) {
  const { t } = useTranslation(['patients', 'projects'])
  return (
    <MultiSelect
      size="md"
      searchable
      label={label}
      description={hint}
      disabled={disabled}
      nothingFoundMessage={t('assign.nobody')}
      clearButtonProps={{ 'aria-label': t('assign.clear') }}
      data={choosable.map(({ id, realName, userRole, account }) => ({
        value: id,
        label: `${realName} · ${t(`projects:role.${userRole}`)} (${account})`,
      }))}
      value={chosen}
      onChange={onChange}
    />
  )
}

function isExpert({ type }: MemberDetail): boolean {
  return type === 'expert'
}

/** Whether an active member can see patients of the center. */
function sees({ status, dataScope, centerIds }: MemberDetail, centerId: string): boolean {
  return status === 'active' && (dataScope === 'all' || centerIds.includes(centerId))
}

function areSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((id) => b.includes(id))
}
