1331 (node-MainThread) 400 105
1333 (DelayedTaskSche) 0 0
1334 (node-V8Worker) 26 1
1335 (node-V8Worker) 22 2
1336 (node-V8Worker) 27 0
1337 (node-V8Worker) 24 1
1338 (SignalInspector) 0 0
1340 (WorkerThread) 297 139
