/** Words of the status marks: the same on every screen. */
export const status = {
  conflict: '有冲突',
  attention: '需处理',
  local: '仅存本机',
  sending: '同步中',
  received: '已同步',
  missing: '缺 {{count}} 项',
  submitted: '已提交',
  inProgress: '填写中',
  notStarted: '未填写',
  and: '、',
  connection: {
    synced: '已同步 {{time}}',
    syncedNever: '已连接',
    sending: '同步中 · 剩 {{count}} 项',
    checking: '同步中',
    waiting: '待同步 {{count}} 项',
    offline: '离线',
    offlineKept: '离线 · 已保存 {{count}} 项在本机',
    signedOut: '已保存 {{count}} 项在本机 · 登录后同步',
    vaultLocked: '已锁定 · 本机 {{count}} 项待同步',
    tooOld: '请更新应用后同步 · 本机 {{count}} 项',
    unknown: '正在连接…',
    lost: '本机数据已被清除',
  },
  /** Passes of double entry. */
  pass: { '1': '一录', '2': '二录' },
} as const
