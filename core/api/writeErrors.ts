/** Why a page takes nothing from anybody at this moment: its project has stopped, or it is closed itself. */
export const closedErrors = ['project_stopped', 'project_closed', 'frozen', 'locked'] as const
