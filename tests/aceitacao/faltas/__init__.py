"""What goes wrong with this kind of consumer, scenario by scenario, and the test that shows what holds then.

 1 to 4   holes in the log                         integracao/test_lacunas_do_log.py
 5        a transaction that stays open            test_espera.py
 6        kill -9 between any two steps            test_quedas.py
 7        kill -9 of daemon and workers            orquestracao/test_daemon.py
 8        the server stopped in a batch            test_servidor.py
 9        sessions terminated, answers lost        test_servidor.py; at known places: integracao/test_concorrencia.py
10        two processors and a manual rebuild      integracao/test_concorrencia.py
11        redelivery                               test_reentrega.py; re-driven dead letters: integracao/test_reenvio.py
12        hostile payloads                         aceitacao/test_fuzz.py
13        the dead letter cannot be written        integracao/test_dlq.py
14        poison, then a good event, then re-drive integracao/test_dlq.py, integracao/test_reenvio.py
15        deadlocks, timeouts                      test_passageiras.py; serialisation: integracao/test_dlq.py
16        unknown types and versions               test_desconhecidos.py
17        100,000 pending events                   test_volume.py
18        launcher and runs that fail              test_orquestrador.py
19        the log refuses our events               integracao/test_publicacao.py
20        cursors missing, or above the log        integracao/test_leitura.py, integracao/test_recusas.py
21        parameters changed between batches       test_parametros.py; wrong files: integracao/test_recusas.py
22        replay from the seed point               integracao/test_reprocessamento.py
23        no state in a session                    aceitacao/test_sem_estado_de_sessao.py
24        roles                                    aceitacao/test_papeis.py, aceitacao/test_papeis_direitos.py
25        all of it at once                        test_resistencia.py
"""
