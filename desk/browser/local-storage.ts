/** Settings stored in this browser. If storage is blocked, they're lost on reload. */
export function readSetting(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

export function saveSetting(key: string, value: string): void {
  try {
    localStorage.setItem(key, value)
  } catch {
    // Storage is blocked.
  }
}
