import * as probe from '../store/store.ts'

export const used = probe
